import { type Change } from '../events/change.store.js';
import { SkillwrightError } from '../kernel/errors.js';
import { finding } from '../kernel/finding.js';
import {
  commitConfig,
  currentConfigs,
  putConfigBytes,
  readConfigBytes,
  type StoredConfig,
} from '../skills/store/workflow-config.store.js';
import { changeConfigReferences, changeReferences, type ReferenceChange } from './reference-edit.js';

/**
 * Changes references to skills in every preset and in the newest version of every step_config.json, as part of the
 * transaction that changes the skill. Lists that are emptied stay lists.
 *
 * @throws SkillwrightError `workflow_changed` when a workflow is changed at the same moment; then nothing is
 */
export async function changeAllReferences(change: Change, edit: ReferenceChange): Promise<void> {
  await changePresets(change, edit);
  for (const config of await currentConfigs(change.manager)) await changeConfig(change, config, edit);
}

async function changePresets(change: Change, edit: ReferenceChange): Promise<void> {
  const presets = change.table('presets');
  const rows: { id: string; refs: unknown }[] = await change.manager.query(
    `SELECT "id", "document"->'selected_skills' AS "refs" FROM ${presets}
     WHERE jsonb_typeof("document"->'selected_skills') = 'array' ORDER BY "id" FOR UPDATE`,
  );
  for (const { id, refs } of rows) {
    const before = (refs as unknown[]).filter((ref) => typeof ref === 'string');
    const after = changeReferences(before, edit);
    if (after === before) continue;
    await change.manager.query(
      `UPDATE ${presets} SET "document" = jsonb_set("document", '{selected_skills}', $2::jsonb), "updated_at" = now()
       WHERE "id" = $1`,
      [id, JSON.stringify(after)],
    );
    change.audit({
      action: 'preset.references',
      subjectKind: 'preset',
      subjectId: id,
      details: { before, after },
    });
    change.event('preset.updated', { preset_id: id });
  }
}

async function changeConfig(change: Change, config: StoredConfig, edit: ReferenceChange): Promise<void> {
  const { workflowId, digest, version, path } = config;
  const bytes = digest === null ? null : await readConfigBytes(change, digest);
  const changed = bytes === null ? null : changeConfigReferences(bytes.toString('utf8'), edit);
  if (changed === null) return;
  const next = Buffer.from(changed.text);
  const made = await commitConfig(change, {
    workflowId,
    path,
    digest: await putConfigBytes(change, next),
    size: next.length,
    origin: 'edit',
    expectedVersion: version,
    action: 'workflow.references',
    findings: changed.emptied.map((step) =>
      finding('emptied_by_detach', { path: `workflows/${workflowId}/${path}`, found: step }),
    ),
    details: { steps: changed.steps },
  });
  if (made === null) throw new SkillwrightError('workflow_changed', { workflow_id: workflowId });
}
