import { type z } from 'zod';
import { type Download } from '../../operations/maintenance.operations.js';
import { type Operation } from '../../operations/define.operation.js';

/** Whoever answers operations for the command line: services built over a folder, or a running service. */
export interface Backend {
  readonly kind: 'folder' | 'service';
  /**
   * @throws SkillwrightError what the operation throws, also when it ran elsewhere; `service_unreachable`.
   */
  ask<Input extends z.ZodType, Output>(row: Operation<Input, Output>, input: z.input<Input>): Promise<Output>;
  /** The bytes of an answer that is a file. @throws SkillwrightError as `ask` */
  download<Input extends z.ZodType>(
    row: Operation<Input, Download>,
    input: z.input<Input>,
  ): Promise<AsyncIterable<Uint8Array>>;
  close(): Promise<void>;
}
