import { Client } from 'pg';
import { outageOf } from './outage.js';
import { type ServerAnswer } from './server-answer.js';

const CONNECT_MS = 5_000;

/** Connects once, asks for the version and leaves; changes nothing. */
export async function askServer(url: string): Promise<ServerAnswer> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    const version = rows[0]?.server_version ?? '';
    return { kind: 'up', version, major: Number.parseInt(version, 10) };
  } catch (error) {
    return {
      kind: 'down',
      because: outageOf(error) ?? (error instanceof Error ? error.message : 'it failed'),
    };
  } finally {
    await client.end().catch(() => undefined);
  }
}
