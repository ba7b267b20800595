import {
  Module,
  type DynamicModule,
  type InjectionToken,
  type ModuleMetadata,
  type Provider,
} from '@nestjs/common';
import { type SkillwrightOptions, type SkillwrightOptionsInput } from '../config/options.js';
import { SKILLWRIGHT_OPTIONS } from '../config/options.token.js';
import { resolveOptions } from '../config/resolve-options.js';
import { BuiltinsModule } from '../builtins/builtins.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { HOST_DATA_SOURCE } from '../database/host-data-source.token.js';
import { FolderGuardModule } from '../folder-guard/folder-guard.module.js';
import { GitHubImportModule } from '../github-import/github-import.module.js';
import { MaintenanceModule } from '../maintenance/maintenance.module.js';
import { OperationsModule } from '../operations/operations.module.js';
import { SkillsModule } from '../skills/catalog/skills.module.js';
import { SearchModule } from '../skills/search/search.module.js';
import { HttpModule } from '../transports/http/http.module.js';
import { WorkflowModule } from '../workflow/workflow.module.js';
import { Lifecycle } from './lifecycle.service.js';

/** What is fixed when the module is declared, before any option is known. */
export interface SkillwrightModuleExtras {
  /** Whether the host application also serves the `/v1` routes; they then stand behind its own guards. */
  readonly routes?: boolean;
  /**
   * Token of a TypeORM DataSource of the host, as `getDataSourceToken('main')` gives it: its server is used, through
   * connections and a schema of our own. A module of `imports`, or a global one, provides it.
   */
  readonly dataSource?: InjectionToken;
}

export interface SkillwrightAsyncOptions extends SkillwrightModuleExtras {
  readonly imports?: ModuleMetadata['imports'];
  readonly inject?: InjectionToken[];
  readonly useFactory: (
    ...dependencies: never[]
  ) => SkillwrightOptionsInput | Promise<SkillwrightOptionsInput>;
}

/**
 * Skillwright inside a Nest application.
 *
 * @example
 * ```ts
 * @Module({ imports: [SkillwrightModule.forRoot({ workspace: { dir: './workspace-docs' } })] })
 * export class AppModule {}
 * // anywhere: constructor(private readonly skills: WorkflowSkillsService) {}
 * ```
 */
@Module({})
export class SkillwrightModule {
  /**
   * @param options every option of `docs/configuration.md`, all optional.
   * @throws SkillwrightError `options_invalid`, naming each wrong option.
   */
  static forRoot(options: SkillwrightOptionsInput = {}, extras: SkillwrightModuleExtras = {}): DynamicModule {
    return assemble({ provide: SKILLWRIGHT_OPTIONS, useValue: resolveOptions(options) }, extras);
  }

  /** The same with options from a factory, for instance from the host's own configuration service. */
  static forRootAsync({ imports, inject, useFactory, ...extras }: SkillwrightAsyncOptions): DynamicModule {
    const options: Provider = {
      provide: SKILLWRIGHT_OPTIONS,
      inject: inject ?? [],
      useFactory: async (...dependencies: never[]): Promise<SkillwrightOptions> =>
        resolveOptions(await useFactory(...dependencies)),
    };
    return assemble(options, extras, imports);
  }
}

/** Carries the options to every module of ours; global, since Nest has no other way to hand them down. */
@Module({})
class OptionsModule {}

const PARTS = [
  DatabaseModule,
  SkillsModule,
  SearchModule,
  BuiltinsModule,
  FolderGuardModule,
  GitHubImportModule,
  WorkflowModule,
  MaintenanceModule,
  OperationsModule,
];

function assemble(
  options: Provider,
  extras: SkillwrightModuleExtras,
  imports: ModuleMetadata['imports'] = [],
): DynamicModule {
  const { dataSource } = extras;
  const hostDataSource =
    dataSource === undefined ? [] : [{ provide: HOST_DATA_SOURCE, useExisting: dataSource }];
  return {
    module: SkillwrightModule,
    imports: [
      {
        module: OptionsModule,
        global: true,
        imports,
        providers: [options, ...hostDataSource],
        exports: [SKILLWRIGHT_OPTIONS, ...hostDataSource.map(({ provide }) => provide)],
      },
      ...PARTS,
      ...(extras.routes === true ? [HttpModule.register()] : []),
    ],
    providers: [Lifecycle],
    exports: [...PARTS],
  };
}
