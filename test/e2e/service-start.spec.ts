import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { startService } from '../support/service.js';

describe('the start of the service', () => {
  it('says in words that the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    try {
      const start = startService({ env: { SKILLWRIGHT_HTTP_PORT: String(port) } });
      await expect(start).rejects.toThrow(`skillwright: another process listens on 127.0.0.1, port ${port};`);
    } finally {
      other.close();
    }
  }, 60_000);

  it('warns of a workspace that does not exist, and starts', async () => {
    const service = await startService({ workspace: '/nowhere/workspace-docs' });
    try {
      expect(service.stderr()).toMatch(/The location does not exist\. [^"]*skills/);
    } finally {
      await service.stop();
      await service.clean();
    }
  }, 60_000);
});
