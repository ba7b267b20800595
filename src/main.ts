import 'reflect-metadata';
import { type AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { optionsFromEnv } from './config/options-from-env.js';
import { mergeOptions, resolveOptions } from './config/resolve-options.js';
import { DatabaseService } from './database/database.service.js';
import { ERRORS, SkillwrightError } from './kernel/errors.js';
import { ServiceLogger } from './service-logger.js';
import { isLoopbackAddress } from './transports/http/edge.js';
import { ProblemFilter } from './transports/http/problem.filter.js';
import { BUNDLED_SKILLS_DIR, PACKAGE_VERSION } from './package-facts.js';

const DRAIN_MS = 20_000;

export interface RunningService {
  readonly url: string;
  /** Stops accepting, lets requests end, closes the database. */
  stop(): Promise<void>;
}

/**
 * Starts the service with options from the environment and prints one line once questions can be answered.
 *
 * @throws SkillwrightError `options_invalid`, `data_folder_in_use`, `address_in_use`.
 */
export async function serve(env: NodeJS.ProcessEnv = process.env): Promise<RunningService> {
  const { input: given, findings } = optionsFromEnv(env);
  const input = mergeOptions({ bundled: { dir: BUNDLED_SKILLS_DIR } }, given);
  const options = resolveOptions(input);
  const { host, port } = options.http;
  if (!isLoopbackAddress(host) && !options.auth.disabled) {
    throw new SkillwrightError('options_invalid', {
      detail: `http.host: ${host} is not loopback and no access control is configured; set auth.disabled to allow it`,
    });
  }
  const logger = new ServiceLogger(options.log.level);
  for (const { field, message } of findings) logger.warn(`${message} ${field ?? ''}`, 'Options');

  const app = await NestFactory.create<NestExpressApplication>(AppModule.register(input, PACKAGE_VERSION), {
    logger,
    bodyParser: false,
    abortOnError: false,
  });
  app.useGlobalFilters(new ProblemFilter());
  app.disable('etag').disable('x-powered-by').set('query parser', false);
  await app.listen(port, host).catch((error: unknown) => {
    throw listenError(error, host, port);
  });
  const address = app.getHttpServer().address() as AddressInfo;
  const shownHost = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  const url = `http://${shownHost}:${address.port}`;
  app.get(DatabaseService).publish({ url, workspace: resolve(options.workspace.dir) });
  process.stdout.write(`listening on ${url}\n`);
  return { url, stop: () => drain(app) };
}

function listenError(error: unknown, host: string, port: number): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return error;
  return new SkillwrightError('address_in_use', {
    detail: `another process listens on ${host}, port ${port}; stop it, or set SKILLWRIGHT_HTTP_PORT (0 takes any free port)`,
  });
}

async function drain(app: NestExpressApplication): Promise<void> {
  const server = app.getHttpServer();
  const late = setTimeout(() => {
    server.closeAllConnections();
  }, DRAIN_MS);
  server.closeIdleConnections();
  await app.close();
  clearTimeout(late);
}

/** Runs until told to end. Nest's own hooks re-raise the signal (exit 143), so signals are handled here. */
export async function runService(env: NodeJS.ProcessEnv = process.env): Promise<void> {
  try {
    const service = await serve(env);
    const end = (): void => {
      void service.stop().then(
        () => process.exit(0),
        () => process.exit(70),
      );
    };
    process.once('SIGTERM', end);
    process.once('SIGINT', end);
  } catch (error) {
    const known = SkillwrightError.is(error);
    process.stderr.write(`skillwright: ${known ? error.message : String((error as Error).stack ?? error)}\n`);
    process.exit(known ? ERRORS[error.code].exit : 70);
  }
}

if (require.main === module) void runService();
