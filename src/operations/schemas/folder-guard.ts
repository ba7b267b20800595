import { z } from 'zod';
import { GUARD_OPERATIONS } from '../../folder-guard/access-rules.js';
import { type GuardGrants } from '../../folder-guard/guard-grants.js';

// What an entry is worth is the guard's to say: a bad one grants nothing and keeps the others as they are.
const paths = z.array(z.unknown()).max(1000).optional();

/** What an engine adds to the skills of a step. */
export const addedGrantsSchema = z
  .strictObject({
    read_paths: paths.describe('Folders or files below the workspace that may be read.'),
    write_paths: paths.describe('The same to write, which implies reading.'),
    blocked: paths.describe('Neither read nor written, whatever else is granted.'),
    blocked_write: paths.describe('Not written.'),
  })
  .transform((grants) => grants as GuardGrants);

/** A step whose skills are granted. */
export const stepAddress = {
  workflow_id: z.string().min(1).max(255).optional(),
  step_id: z.string().min(1).max(500).optional(),
  preset_id: z.string().max(200).optional(),
};

/** Both or neither: a workflow without a step grants nothing that anybody meant. */
export function namesStepWhole(input: {
  workflow_id?: string | undefined;
  step_id?: string | undefined;
}): boolean {
  return (input.workflow_id === undefined) === (input.step_id === undefined);
}

export const STEP_WHOLE = 'workflow_id and step_id belong together';

export const accessQuestionSchema = z
  .strictObject({
    ...stepAddress,
    grants: addedGrantsSchema.optional(),
    operation: z.enum(GUARD_OPERATIONS),
    path: z.string().describe('Absolute, or relative to cwd.'),
    to: z.string().optional().describe('Second path of rename, copy, hardlink; what a symlink says.'),
    cwd: z.string().optional().describe('Absolute, or relative to the workspace, which is the default.'),
  })
  .refine(namesStepWhole, STEP_WHOLE);

export const sandboxQuestionSchema = z
  .strictObject({
    ...stepAddress,
    grants: addedGrantsSchema.optional(),
    cwd: z.string().max(4096).optional().describe('Granted folder; the workspace by default.'),
    network: z.boolean().default(false).describe('Whether the command may use the network.'),
    env: z
      .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string().max(100_000))
      .optional()
      .describe('Added to a small environment.'),
  })
  .refine(namesStepWhole, STEP_WHOLE);

const words = z.array(z.string());

export const sandboxLaunchSchema = z.object({
  root: z.string().describe('The workspace.'),
  bubblewrap: words.describe('Program and arguments up to `--`; to be started without any environment.'),
  container: words.describe('Arguments of `docker run` and `podman run`.'),
  mounts: z.array(
    z.object({
      mode: z.enum(['read', 'write', 'hide']),
      source: z.string().nullable(),
      target: z.string(),
      found: z.enum(['folder', 'file']),
      digest: z.string().nullable(),
    }),
  ),
  links: z.array(z.object({ at: z.string(), target: z.string() })).describe('Links that lead to mounts.'),
  make_folders: words.describe('To be made before the launch.'),
  cwd: z.string(),
  grants: z.looseObject({}).describe('What was granted, the skills of the step included.'),
});

const refusedGrantSchema = z.object({
  list: z.enum(['skills', 'read_paths', 'write_paths', 'blocked', 'blocked_write']),
  path: z.string(),
  because: z.string(),
});

export const accessDecisionSchema = z.object({
  allow: z.boolean(),
  because: z.object({ kind: z.string(), text: z.string().describe('One sentence.') }),
  path: z.string().describe('Where it really leads, below the workspace; as asked where it leads elsewhere.'),
  to: z.string().optional(),
  refused: z.array(refusedGrantSchema).describe('Grants that grant nothing.'),
});
