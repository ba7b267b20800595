// A process with the built DatabaseService: one JSON line in for each question, one out for each answer.
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { Logger } = require('@nestjs/common');
const { resolveOptions } = require('../../dist/config/resolve-options.js');
const { DatabaseService } = require('../../dist/database/database.service.js');

Logger.overrideLogger(false);
const { dir, statementMs } = JSON.parse(process.argv[2]);
const limits = { acquireMs: 10_000, statementMs };
const service = new DatabaseService(resolveOptions({ data: { dir } }), { embedded: { limits } });
const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);

try {
  await service.start();
} catch (error) {
  say({ code: error.code, message: error.message });
  process.exit(1);
}
say({ ready: true });

createInterface({ input: process.stdin })
  .on('line', async (line) => {
    const { id, sql } = JSON.parse(line);
    try {
      say({ id, rows: await service.run((manager) => manager.query(sql)) });
    } catch (error) {
      say({ id, code: error.code, message: error.message });
    }
  })
  .on('close', async () => {
    await service.stop();
  });
