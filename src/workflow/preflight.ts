import { type Finding } from '../kernel/finding.js';
import { judgeStrictly, type Resolution } from './effective-skills.js';

/** One thing that would keep a step from getting its skills, with the names of the wire. */
export interface PreflightProblem {
  /** Null for a problem of the whole file. */
  readonly step_id: string | null;
  /** The reference as written; empty when the problem is about none. */
  readonly ref: string;
  readonly code: string;
  readonly text: string;
}

/** The problems of one step: whatever strict resolution would refuse. */
export function resolutionProblems(stepId: string, resolution: Resolution): PreflightProblem[] {
  const verdict = judgeStrictly(resolution);
  if (verdict.kind === 'accepted') return [];
  return [
    ...resolution.rejected.map(({ ref, code, because }) => ({
      step_id: stepId,
      ref,
      code,
      text: because.text,
    })),
    ...verdict.warnings.map(({ code, message }) => ({ step_id: stepId, ref: '', code, text: message })),
  ];
}

/** Findings of severity error as problems. */
export function fileProblems(stepId: string | null, findings: readonly Finding[]): PreflightProblem[] {
  return findings
    .filter(({ severity }) => severity === 'error')
    .map(({ code, message, path, line }) => {
      const place = path === undefined ? '' : `${path}${line === undefined ? '' : `:${line}`}: `;
      return { step_id: stepId, ref: '', code, text: place + message };
    });
}
