import { z } from 'zod';
import { operation } from './define.operation.js';

const scope = {
  workflow_id: z.string().min(1).max(255),
  step_id: z.string().min(1).max(500),
  preset_id: z.string().max(200).optional(),
};

const toolSchema = z.object({
  name: z.string(),
  description: z.string(),
  input_schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the input.'),
});

export const listTools = operation({
  name: 'tools.list',
  summary: 'The tools that the agent of a step gets; none where it has no skills.',
  role: 'agent',
  input: z.strictObject(scope),
  output: z.object({ tools: z.array(toolSchema) }),
  async run({ tools }, { workflow_id, step_id, preset_id }) {
    const definitions = await tools.definitions({
      workflowId: workflow_id,
      stepId: step_id,
      presetId: preset_id,
    });
    return { tools: definitions };
  },
});

export const runTool = operation({
  name: 'tools.run',
  summary: 'Runs a tool within the skills of a step.',
  role: 'agent',
  input: z
    .looseObject({ tool: z.string().min(1).max(100), ...scope })
    .describe("The scope, and the tool's input."),
  output: z.looseObject({}).describe("The tool's result."),
  run({ tools }, { tool, workflow_id, step_id, preset_id, ...input }) {
    return tools.run(tool, input, { workflowId: workflow_id, stepId: step_id, presetId: preset_id });
  },
});
