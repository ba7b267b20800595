import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { type Duplex } from 'node:stream';

/** A port in front of a database that can be cut off and mended, as if the server went away and came back. */
export class TcpFront {
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;
  #port = 0;

  constructor(private readonly upstream: () => Duplex) {}

  /** In front of the server at `url`. */
  static to(url: string): TcpFront {
    const { hostname, port } = new URL(url);
    return new TcpFront(() => connect(Number(port === '' ? 5432 : port), hostname));
  }

  get port(): number {
    return this.#port;
  }

  /** Listens; after a cut, on the same port. */
  async mend(): Promise<void> {
    const server = createServer((socket) => {
      this.#join(socket, this.upstream());
    });
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Drops every connection and refuses new ones. */
  async cut(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    const closed = new Promise<void>((resolve) => {
      if (server === null) resolve();
      else
        server.close(() => {
          resolve();
        });
    });
    for (const socket of this.#sockets) socket.resetAndDestroy();
    await closed;
  }

  #join(socket: Socket, upstream: Duplex): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    upstream.on('error', () => upstream.destroy());
    socket.on('close', () => {
      this.#sockets.delete(socket);
      upstream.destroy();
    });
    upstream.on('close', () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
  }
}
