import { type DiscoveryEnv } from '../../config/discovery-env.js';
import { type SkillwrightOptions } from '../../config/options.js';
import { type Diagnosis } from '../../operations/diagnosis.js';
import { type DiagnosisRequest } from '../../operations/diagnosis.service.js';
import { type GuardedRunReport, type GuardedRunRequest } from '../../operations/guarded-run.service.js';
import { type OperationContext } from '../../operations/operation-context.service.js';
import { type ValidationReport, type ValidationRequest } from '../../operations/validation-report.js';
import { type OwnerFacts } from './decide-place.js';

/** Services over a folder, ready to answer. */
export interface FolderSession {
  readonly context: OperationContext;
  close(): Promise<void>;
}

/**
 * What the command line is made of. A door builds no services, so the program that starts it passes them in;
 * each is loaded when a command needs it, since loading costs more than most commands do.
 */
export interface CliParts {
  /** Of the package. */
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  isFolder(path: string): boolean;
  isFile(path: string): boolean;
  /** Builds services over a folder and scans it; no database, no watcher. */
  openFolder(options: SkillwrightOptions, place: DiscoveryEnv): Promise<FolderSession>;
  /** Opens the database itself, for one piece of work; it must belong to nobody else. */
  openDatabase(options: SkillwrightOptions): Promise<FolderSession>;
  /** Opens the database, brings its schema up to date and leaves. @returns the names of what was run */
  migrate(options: SkillwrightOptions): Promise<readonly string[]>;
  /** Writes a file that may be large; whole, or not at all. */
  saveFile(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  readFile(path: string): AsyncIterable<Uint8Array>;
  /** Who owns the data folder; null when nobody does. */
  askOwner(dataDir: string): Promise<OwnerFacts | null>;
  validatePaths(request: ValidationRequest): Promise<ValidationReport>;
  diagnose(request: DiagnosisRequest): Promise<Diagnosis>;
  /** Runs a command on this machine with its grants and nothing else. */
  runGuarded(request: GuardedRunRequest): Promise<GuardedRunReport>;
  /** Runs the service until the process is told to end. */
  serve(env: Readonly<Record<string, string | undefined>>): Promise<void>;
}
