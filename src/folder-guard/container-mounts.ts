import { type SandboxMount, type SandboxPlan } from './sandbox-plan.js';

/**
 * The mounts of a plan as arguments of `docker run` or `podman run`, at the same places as on the host.
 *
 * @example containerArguments(plan) // ['--mount', 'type=bind,source=/ws/skills/pdf,target=/ws/skills/pdf,readonly']
 */
export function containerArguments({ mounts }: SandboxPlan): string[] {
  return mounts.flatMap((mount) => ['--mount', fieldsOf(mount).map(csvField).join(',')]);
}

function fieldsOf({ mode, source, target, found }: SandboxMount): string[] {
  if (mode === 'hide' && found === 'folder') {
    return ['type=tmpfs', `target=${target}`, 'tmpfs-size=65536', 'readonly'];
  }
  const bind = ['type=bind', `source=${source ?? '/dev/null'}`, `target=${target}`];
  return mode === 'write' ? bind : [...bind, 'readonly'];
}

/** The value of the option is one line of CSV. */
function csvField(field: string): string {
  return /[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
