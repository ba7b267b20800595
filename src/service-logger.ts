import { type LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';
import { type SkillwrightOptions } from './config/options.js';

/** Nest tells at length how it puts the application together. */
const CHATTY: ReadonlySet<unknown> = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
]);

/** Nest's logger over pino: one JSON object a line on standard error, so that standard output stays for answers. */
export class ServiceLogger implements LoggerService {
  readonly #pino: Logger;

  constructor(level: SkillwrightOptions['log']['level']) {
    const redact = ['req.headers.authorization', '*.token', '*.password', 'database.url'];
    this.#pino = pino({ level, redact, base: { name: 'skillwright' } }, pino.destination(2));
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.#write(CHATTY.has(rest.at(-1)) ? 'debug' : 'info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.#write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.#write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.#write('debug', message, rest);
  }

  /** Nest passes the logging class last; an object stands first when it carries fields. */
  #write(level: 'info' | 'error' | 'warn' | 'debug', message: unknown, rest: unknown[]): void {
    const context = rest.at(-1);
    if (typeof message === 'object' && message !== null) {
      this.#pino[level]({ context, ...message }, String(rest.length > 1 ? rest[0] : ''));
    } else {
      this.#pino[level]({ context }, String(message));
    }
  }
}
