import { PresetsAndWorkflows1796100000000 } from './presets-and-workflows.migration.js';
import { StoredCatalogue1796200000000 } from './stored-catalogue.migration.js';

/** Every migration, oldest first. Append only: what was released once is never changed. */
export const MIGRATIONS = [PresetsAndWorkflows1796100000000, StoredCatalogue1796200000000];
