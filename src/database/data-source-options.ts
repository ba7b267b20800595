import { type DataSourceOptions } from 'typeorm';
import { type SkillwrightOptions } from '../config/options.js';
import { SkillwrightError } from '../kernel/errors.js';
import { type EmbeddedServer } from './embedded/embedded-server.adapter.js';
import { MIGRATIONS } from './migrations/all-migrations.js';
import { PresetEntity } from './preset.entity.js';
import { SeededPresetEntity } from './seeded-preset.entity.js';
import { SkillEntity } from './skill.entity.js';
import { SkillVersionEntity } from './skill-version.entity.js';
import { WorkflowEntity } from './workflow.entity.js';

type DatabaseOptions = SkillwrightOptions['database'];

const CONNECT_MS = 5_000;

/** Every table as a class. */
export const ENTITIES = [PresetEntity, WorkflowEntity, SeededPresetEntity, SkillEntity, SkillVersionEntity];

/** A PostgreSQL server at an address. */
export function serverOptions(
  url: string,
  options: DatabaseOptions,
  onPoolError: PoolErrorListener,
): DataSourceOptions {
  return {
    ...ours(options, onPoolError),
    type: 'postgres',
    url,
    applicationName: 'skillwright',
    extra: { keepAlive: true },
  };
}

/** The embedded database behind `server`; `pg` gets its sessions in place of sockets. */
export function embeddedOptions(
  server: EmbeddedServer,
  options: DatabaseOptions,
  onPoolError: PoolErrorListener,
): DataSourceOptions {
  return {
    ...ours(options, onPoolError),
    type: 'postgres',
    host: 'embedded',
    username: 'postgres',
    database: 'postgres',
    ssl: false,
    extra: { stream: () => server.session() },
  };
}

/**
 * The database of a host application. Its connection settings are taken over; schema, tables, migrations and
 * pool stay our own, so that nothing is added to what the host's DataSource knows.
 */
export function hostOptions(
  host: { readonly options: DataSourceOptions },
  options: DatabaseOptions,
  onPoolError: PoolErrorListener,
): DataSourceOptions {
  if (host.options.type !== 'postgres') {
    throw new SkillwrightError('options_invalid', {
      detail: `the given DataSource is of type ${host.options.type}; Skillwright needs postgres`,
    });
  }
  return { ...host.options, ...ours(options, onPoolError), cache: false, dropSchema: false, subscribers: [] };
}

export type PoolErrorListener = (error: unknown) => void;

function ours(options: DatabaseOptions, onPoolError: PoolErrorListener) {
  return {
    schema: options.schema,
    poolSize: options.poolSize,
    connectTimeoutMS: CONNECT_MS,
    poolErrorHandler: onPoolError,
    entities: ENTITIES,
    migrations: MIGRATIONS,
    migrationsTableName: 'migrations',
    migrationsRun: false,
    synchronize: false,
    installExtensions: false,
    // Not uuid-ossp, which the embedded database and many servers lack; ids are made by the application.
    uuidExtension: 'pgcrypto' as const,
    logging: false as const,
  };
}
