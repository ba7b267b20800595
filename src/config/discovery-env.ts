import { delimiter } from 'node:path';

/** What profile `discovery` takes from the process it runs in. */
export interface DiscoveryEnv {
  readonly cwd: string;
  readonly home: string | undefined;
  /** `ZOT_HOME`: its `skills` folder is searched. */
  readonly zotHome: string | undefined;
  /** `ZOT_AGENT_SKILLS`, split. */
  readonly zotAgentSkills: readonly string[];
}

export function discoveryEnv(
  env: Readonly<Record<string, string | undefined>> = process.env,
  cwd: string = process.cwd(),
): DiscoveryEnv {
  return {
    cwd,
    home: env['HOME'],
    zotHome: env['ZOT_HOME'],
    zotAgentSkills: (env['ZOT_AGENT_SKILLS'] ?? '').split(delimiter).filter((dir) => dir !== ''),
  };
}
