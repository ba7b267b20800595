import { describe, expect, it } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { WorkflowSkillsService } from '../../../src/index.js';
import { SkillwrightTestingModule } from '../../../src/testing.js';

describe('SkillwrightTestingModule', () => {
  it('answers from a folder without a database', async () => {
    const module = await Test.createTestingModule({
      imports: [await SkillwrightTestingModule.forFolder('workspace-docs')],
    }).compile();
    const answer = await module
      .get(WorkflowSkillsService)
      .resolveStep({ workflowId: 'demo', stepId: 'qualify-step' });
    expect(answer).toMatchObject({ decided_by: 'preset', rejected: [] });
    expect(answer.skills.map(({ slug }) => slug)).toContain('csv-profiler');
    await module.close();
  });
});
