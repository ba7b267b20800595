import { randomUUID } from 'node:crypto';
import { type z } from 'zod';
import { type Download } from '../../operations/maintenance.operations.js';
import { type Operation, runOperation } from '../../operations/define.operation.js';
import { LOCAL_ADMIN } from '../../operations/principal.js';
import { type Backend } from './backend.port.js';
import { type FolderSession } from './cli-parts.port.js';

/** Runs operations in this process over a folder, without a database. */
export class FolderBackend implements Backend {
  readonly kind = 'folder';

  constructor(private readonly session: FolderSession) {}

  ask<Input extends z.ZodType, Output>(
    row: Operation<Input, Output>,
    input: z.input<Input>,
  ): Promise<Output> {
    return runOperation(row, this.session.context, input, {
      principal: LOCAL_ADMIN,
      requestId: randomUUID(),
      door: 'cli',
    });
  }

  async download<Input extends z.ZodType>(
    row: Operation<Input, Download>,
    input: z.input<Input>,
  ): Promise<AsyncIterable<Uint8Array>> {
    return (await this.ask(row, input)).stream;
  }

  close(): Promise<void> {
    return this.session.close();
  }
}
