import { constants } from 'node:os';
import { type SkillwrightOptions } from '../config/options.js';
import { FolderGuardService } from '../folder-guard/folder-guard.service.js';
import { type GuardedCommand, type GuardedResult } from '../folder-guard/sandbox-request.js';

/** A command to run on this machine, for somebody at a terminal. */
export interface GuardedRunRequest extends GuardedCommand {
  readonly options: SkillwrightOptions;
  /** Absolute folder of the workspace. */
  readonly root: string;
}

export interface GuardedRunReport {
  /** As a shell would give it: the command's own, 124 out of time, 127 not started, 128 and the signal's number. */
  readonly status: number;
  readonly enforcement: GuardedResult['enforcement'];
  /** What the command itself did not say; null when there is nothing. */
  readonly remark: string | null;
}

const OUT_OF_TIME = 124;
const NOT_STARTED = 127;

/** @throws SkillwrightError as `FolderGuardService.run` */
export async function runGuarded({
  options,
  root,
  ...command
}: GuardedRunRequest): Promise<GuardedRunReport> {
  const guard = new FolderGuardService({ ...options, workspace: { ...options.workspace, dir: root } });
  const { end, enforcement, stdout, stderr } = await guard.run(command);
  const dropped = stdout.dropped + stderr.dropped;
  const cut = dropped === 0 ? null : `${dropped} bytes of output were dropped (guard.outputBytes)`;
  switch (end.kind) {
    case 'exited':
      return { status: end.status, enforcement, remark: cut };
    case 'killed':
      return { status: 128 + signalNumber(end.signal), enforcement, remark: `ended by ${end.signal}` };
    case 'timed_out':
      return { status: OUT_OF_TIME, enforcement, remark: 'ended, since its time was over' };
    case 'not_started':
      return { status: NOT_STARTED, enforcement, remark: `not started: ${end.because}` };
  }
}

function signalNumber(name: string): number {
  return Object.entries(constants.signals).find(([signal]) => signal === name)?.[1] ?? 0;
}
