import { type ErrorCode } from '../../kernel/errors.js';
import * as folderGuard from '../../operations/folder-guard.operations.js';
import { healthz, readyz } from '../../operations/health.operations.js';
import * as archives from '../../operations/exports.operations.js';
import * as imports from '../../operations/imports.operations.js';
import * as maintenance from '../../operations/maintenance.operations.js';
import * as moves from '../../operations/skill-moves.operations.js';
import * as presets from '../../operations/presets.operations.js';
import { checkSkillTriggers } from '../../operations/trigger-check.operations.js';
import { searchSkills } from '../../operations/search.operations.js';
import * as edits from '../../operations/skill-edit.operations.js';
import * as history from '../../operations/skill-history.operations.js';
import * as skills from '../../operations/skills.operations.js';
import * as tools from '../../operations/tools.operations.js';
import * as workflows from '../../operations/workflows.operations.js';
import { type HttpRoute } from './http-door.service.js';
import { get, patch, post, put, remove, withCustom } from './route.js';

const SKILL: readonly ErrorCode[] = ['skill_not_found', 'ref_ambiguous', 'skill_md_invalid'];
const FILE: readonly ErrorCode[] = [...SKILL, 'path_invalid', 'file_not_found', 'file_too_large'];
const CHANGE: readonly ErrorCode[] = [...SKILL, 'skill_protected'];
const EDIT: readonly ErrorCode[] = [
  ...CHANGE,
  'skill_changed',
  'path_invalid',
  'file_too_large',
  'skill_too_large',
];
const MATCH: readonly ErrorCode[] = ['match_required', 'version_conflict'];
const VERSION: readonly ErrorCode[] = [...CHANGE, 'version_not_found'];
const PRESET: readonly ErrorCode[] = ['preset_not_found'];
const WORKFLOW: readonly ErrorCode[] = ['workflow_not_found', 'step_config_invalid', 'workflow_file_invalid'];
const STEP_EDIT: readonly ErrorCode[] = [...WORKFLOW, 'workflow_changed'];
const RESOLUTION: readonly ErrorCode[] = [...WORKFLOW, ...PRESET, 'skills_rejected'];

const IMPORT: readonly ErrorCode[] = [
  'import_unavailable',
  'skill_md_missing',
  'skill_md_ambiguous',
  'skill_md_invalid',
  'skill_md_too_large',
  'skill_name_invalid',
  'skill_exists',
  'skill_protected',
  'busy',
];
const ARCHIVE: readonly ErrorCode[] = [
  'archive_invalid',
  'archive_unsupported',
  'archive_encrypted',
  'archive_path_unsafe',
  'archive_entry_type',
  'archive_duplicate_entry',
  'archive_too_large',
  'archive_too_many_entries',
];

const SOURCE: readonly ErrorCode[] = [
  'source_url_invalid',
  'source_not_found',
  'token_rejected',
  'source_too_large',
  'archive_path_unsafe',
  'archive_duplicate_entry',
  'source_rate_limited',
  'source_unavailable',
  'source_timeout',
];

/** The canonical dialect: every route, static paths before parameters. */
export const V1_ROUTES: readonly HttpRoute[] = [
  get('/healthz', healthz),
  get('/readyz', readyz),

  get('/v1/skills', skills.listSkills, { tag: 'revision' }),
  get('/v1/skills/search', searchSkills),
  get('/v1/skills/export', archives.exportSkills, { reply: 'download', errors: SKILL }),
  ...withCustom('/export', (path) => get(path, archives.exportSkill, { reply: 'download', errors: SKILL })),
  post('/v1/skills/import', imports.importSkills, { body: 'keys', errors: [...IMPORT, ...SOURCE] }),
  post('/v1/skills/trigger-check', checkSkillTriggers, {
    body: 'keys',
    errors: ['skill_not_found', ...RESOLUTION],
  }),
  post('/v1/skills/upload', imports.uploadSkills, { body: 'multipart', errors: [...IMPORT, ...ARCHIVE] }),
  ...withCustom('', (path) => get(path, skills.getSkill, { tag: 'skill', errors: SKILL })),
  ...withCustom('/files', (path) => get(path, skills.listSkillFiles, { errors: SKILL })),
  ...withCustom('/files/*path', (path) => get(path, skills.readSkillFile, { reply: 'file', errors: FILE })),

  ...withCustom('', (path) => put(path, edits.updateSkill, { body: 'keys', errors: EDIT })),
  ...withCustom('/content', (path) =>
    put(path, edits.replaceContent, {
      body: { bytes: 'content', limit: 'contentBodyBytes', orJson: true },
      match: true,
      errors: [...EDIT, ...MATCH],
    }),
  ),
  ...withCustom('/files/*path', (path) =>
    put(path, edits.writeFile, {
      body: { bytes: 'bytes', limit: 'fileBytes', orJson: false },
      match: true,
      errors: [...EDIT, ...MATCH],
    }),
  ),
  ...withCustom('/files/*path', (path) =>
    remove(path, edits.removeFile, { match: true, errors: [...EDIT, ...MATCH, 'file_not_found'] }),
  ),
  ...withCustom('', (path) =>
    remove(path, moves.deleteSkill, {
      errors: [...CHANGE, 'skill_in_use', 'skill_changed', 'workflow_changed'],
    }),
  ),
  ...withCustom('/move', (path) =>
    post(path, moves.moveSkill, {
      body: 'keys',
      errors: [...CHANGE, 'skill_name_invalid', 'skill_exists', 'skill_changed', 'workflow_changed'],
    }),
  ),
  ...withCustom('/toggle', (path) => post(path, history.toggleSkill, { body: 'keys', errors: CHANGE })),
  ...withCustom('/versions', (path) => get(path, history.listVersions, { errors: SKILL })),
  ...withCustom('/versions/:version/restore', (path) =>
    post(path, history.restoreVersion, {
      body: 'keys',
      errors: [...VERSION, 'skill_exists', 'skill_changed', 'skill_revoked'],
    }),
  ),
  ...withCustom('/diff', (path) =>
    get(path, history.diffVersions, { errors: [...SKILL, 'version_not_found'] }),
  ),
  ...withCustom('/labels/:label', (path) => post(path, history.setLabel, { body: 'keys', errors: VERSION })),
  ...withCustom('/labels/:label', (path) =>
    remove(path, history.removeLabel, { errors: [...CHANGE, 'label_not_found'] }),
  ),
  ...withCustom('/revoke', (path) => post(path, history.revokeVersion, { body: 'keys', errors: VERSION })),

  get('/v1/presets', presets.listPresets),
  post('/v1/presets', presets.createPreset, {
    body: { whole: 'preset' },
    status: 201,
    errors: ['preset_invalid', 'preset_exists'],
  }),
  get('/v1/presets/:id', presets.getPreset, { errors: PRESET }),
  put('/v1/presets/:id', presets.replacePreset, {
    body: { whole: 'preset' },
    errors: [...PRESET, 'preset_invalid'],
  }),
  patch('/v1/presets/:id', presets.patchPreset, {
    body: { whole: 'patch' },
    errors: [...PRESET, 'preset_invalid'],
  }),
  remove('/v1/presets/:id', presets.deletePreset, { errors: [...PRESET, 'preset_in_use'] }),

  get('/v1/workflows', workflows.listWorkflows, { tag: 'revision' }),
  get('/v1/workflows/:workflow_id', workflows.getWorkflow, { tag: 'revision', errors: WORKFLOW }),
  put('/v1/workflows/:workflow_id', workflows.bindWorkflow, {
    body: 'keys',
    errors: [...WORKFLOW, ...PRESET],
  }),
  get('/v1/workflows/:workflow_id/step-config', workflows.getStepConfig, { errors: WORKFLOW }),
  put('/v1/workflows/:workflow_id/step-config', workflows.replaceStepConfig, {
    body: { whole: 'document' },
    errors: STEP_EDIT,
  }),
  get('/v1/workflows/:workflow_id/step-config/versions', workflows.listStepConfigVersions),
  post('/v1/workflows/:workflow_id/step-config/versions/:version/restore', workflows.restoreStepConfig, {
    body: 'keys',
    errors: ['version_not_found', 'workflow_changed'],
  }),
  patch('/v1/workflows/:workflow_id/steps/:step_id', workflows.patchStep, {
    body: { whole: 'patch' },
    errors: STEP_EDIT,
  }),
  get('/v1/workflows/:workflow_id/steps/:step_id/effective-skills', workflows.effectiveSkills, {
    tag: 'revision',
    errors: RESOLUTION,
  }),
  get('/v1/workflows/:workflow_id/steps/:step_id/explain', workflows.explainStep, {
    tag: 'revision',
    errors: RESOLUTION,
  }),
  get('/v1/workflows/:workflow_id/check', workflows.checkWorkflow, { tag: 'revision', errors: WORKFLOW }),
  post('/v1/effective-skills', workflows.effectiveSkillsInline, {
    body: 'keys',
    errors: ['skills_rejected'],
  }),

  post('/v1/folder-guard/check', folderGuard.checkAccess, { body: { whole: 'question' } }),
  post('/v1/folder-guard/sandbox', folderGuard.planSandbox, {
    body: 'keys',
    errors: [...RESOLUTION, 'grants_invalid', 'guard_denied'],
  }),

  get('/v1/verify', maintenance.verifyStored),
  get('/v1/backup', maintenance.backupStored, { reply: 'stream', errors: ['storage_full'] }),

  get('/v1/tools', tools.listTools, { errors: RESOLUTION }),
  post('/v1/tools/:tool', tools.runTool, {
    body: 'keys',
    errors: [...RESOLUTION, 'tool_not_found', 'skill_not_selected', 'path_invalid', 'file_not_found'],
  }),
];
