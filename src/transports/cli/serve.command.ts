import { type CliSession } from './cli-session.service.js';

export interface ServeFlags {
  readonly host?: string;
  readonly port?: string;
}

/** The service reads its options from the environment, so the flags of the command line become part of it. */
export async function serveCommand(session: CliSession, { host, port }: ServeFlags): Promise<number> {
  const { workspace, dataDir } = session.flags;
  const named = {
    SKILLWRIGHT_WORKSPACE_DIR: workspace,
    SKILLWRIGHT_DATA_DIR: dataDir,
    SKILLWRIGHT_HTTP_HOST: host,
    SKILLWRIGHT_HTTP_PORT: port,
  };
  const given = Object.entries(named).filter(([, value]) => value !== undefined);
  await session.parts.serve({ ...session.parts.env, ...Object.fromEntries(given) });
  return 0;
}
