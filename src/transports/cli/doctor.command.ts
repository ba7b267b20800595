import { optionsFromEnv } from '../../config/options-from-env.js';
import { discoveryEnv } from '../../config/discovery-env.js';
import { SkillwrightError } from '../../kernel/errors.js';
import { type Check, type Diagnosis, isHealthy } from '../../operations/diagnosis.js';
import { type CliSession } from './cli-session.service.js';
import { doctorLines } from './doctor-view.js';

/** Looks at everything that the service needs; exit 1 when something is missing. */
export async function doctorCommand(session: CliSession): Promise<number> {
  const diagnosis = { checks: await allChecks(session) };
  const ok = isHealthy(diagnosis);
  session.answer({ ok, ...diagnosis }, () => doctorLines(diagnosis, session.paint));
  return ok ? 0 : 1;
}

async function allChecks(session: CliSession): Promise<readonly Check[]> {
  try {
    const { checks } = await diagnoseHere(session);
    return [...checks, ...(await serviceChecks(session))];
  } catch (error) {
    if (!SkillwrightError.is(error) || error.code !== 'options_invalid') throw error;
    return [
      { state: 'fail', topic: 'options', text: error.message, hint: 'docs/configuration.md lists them all' },
    ];
  }
}

function diagnoseHere(session: CliSession): Promise<Diagnosis> {
  const { parts } = session;
  const workspace = session.workspace();
  const named = workspace.kind === 'workspace' ? workspace.dir : null;
  const options = session.options(named === null ? {} : { workspace: { dir: named } });
  return parts.diagnose({
    options,
    place: discoveryEnv(parts.env, parts.cwd),
    workspace: { dir: named, because: workspace.because },
    unknownNames: optionsFromEnv(parts.env).findings.map(({ field }) => field ?? ''),
  });
}

/** What a running service says of itself, when there is one to ask. */
async function serviceChecks(session: CliSession): Promise<Check[]> {
  const workspace = session.workspace();
  const decision = await session.whoAnswers(session.options(), workspace);
  if (decision.kind === 'folder') return [];
  const topic = 'service';
  const { readyz } = await import('../../operations/health.operations.js');
  const backend = await session.openService(decision.url);
  try {
    const { status, checks } = await backend.ask(readyz, {});
    const parts = Object.entries(checks).map(([name, { state }]) => `${name} ${state}`);
    const text = `${decision.url} is ${status}: ${parts.join(', ')}`;
    return [{ state: 'ok', topic, text }];
  } catch (error) {
    if (!SkillwrightError.is(error)) throw error;
    return [{ state: 'fail', topic, text: error.message, hint: `it was asked because ${decision.because}` }];
  }
}
