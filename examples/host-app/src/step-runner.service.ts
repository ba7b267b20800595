import { Injectable } from '@nestjs/common';
import { WorkflowSkillsService } from 'skillwright';

/** What an orchestrator would hand to the agent of one step. */
@Injectable()
export class StepRunner {
  constructor(private readonly skills: WorkflowSkillsService) {}

  /** Describes the step instead of running an agent: the skills with their reasons, the prompt text, the paths. */
  async describe(workflowId: string, stepId: string): Promise<string> {
    const answer = await this.skills.resolveStep({ workflowId, stepId });
    return [
      `== ${workflowId} / ${stepId} (decided by: ${answer.decided_by})`,
      ...answer.skills.map((skill) => `gets ${skill.slug}: ${skill.because.text}`),
      ...answer.rejected.map((reject) => `does not get ${reject.ref}: ${reject.code}`),
      `may read: ${answer.folder_guard?.read_paths.join(', ') || 'nothing'}`,
      answer.listing?.text || '(no skills in the prompt)',
    ].join('\n');
  }
}
