import { createHash } from 'node:crypto';
import { SkillwrightError } from '../kernel/errors.js';
import { type StoredConfig } from '../skills/store/workflow-config.store.js';
import { type SyncFacts } from '../skills/sync/sync-plan.js';
import { type ConfigFile } from './config-file.service.js';

/** One workflow's file: what lies on disk, what is stored, what was there at the last sync. */
export interface ConfigItem {
  readonly id: string;
  readonly file: ConfigFile;
  readonly stored: StoredConfig | undefined;
  readonly facts: SyncFacts;
}

/** What the next version of a file from disk says of itself. */
export function versionOf({ id, file, stored }: ConfigItem) {
  return {
    workflowId: id,
    path: file.read.kind === 'missing' ? (stored?.path ?? file.path) : file.path,
    origin: 'disk' as const,
    expectedVersion: stored?.version ?? 0,
    action: stored === undefined ? 'workflow.create' : 'workflow.update',
  };
}

/** The key of a file's bytes. */
export function hexOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Refuses an edit that met another one. */
export function workflowChanged(id: string): SkillwrightError {
  const detail = `the steps of "${id}" were changed at the same moment; look at them again and repeat`;
  return new SkillwrightError('workflow_changed', { workflow_id: id, detail });
}
