import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { memberOf, parseJsonText } from './json-text.js';
import { patchStepText, replaceStepConfigText } from './step-config-edit.js';

const FILE = `{
  "note": "kept",
  "steps": [
    { "id": "moor",   "agent_configs": {"selected_servers": ["charts"], "enabled_skills": ["knots"]} },
    {
      "id": "sail",
      "agent_configs": {
        "enabled_skills": []
      }
    }
  ]
}
`;

describe('patchStepText', () => {
  it('rewrites the touched value alone', () => {
    const edited = patchStepText(FILE, 'moor', { agent_configs: { enabled_skills: ['knots', 'charts'] } });
    expect(edited).toBe(FILE.replace('["knots"]', '["knots", "charts"]'));
  });

  it('changes no byte when nothing differs', () => {
    expect(patchStepText(FILE, 'sail', { agent_configs: { enabled_skills: [] } })).toBe(FILE);
  });

  it('adds a key in the style of what stands around it', () => {
    const wide = patchStepText(FILE, 'sail', { agent_configs: { skill_modes: { knots: 'preload' } } });
    expect(wide).toBe(
      FILE.replace(
        '"enabled_skills": []\n',
        '"enabled_skills": [],\n        "skill_modes": {\n          "knots": "preload"\n        }\n',
      ),
    );
    const flat = patchStepText(FILE, 'moor', { skill_modes: { knots: 'require' } });
    expect(flat).toBe(FILE.replace('["knots"]}', '["knots"], "skill_modes": {"knots": "require"}}'));
  });

  it('adds a step that is not there', () => {
    const edited = patchStepText(FILE, 'anchor', { enabled_skills: ['knots'] });
    expect(edited).toContain(
      '    },\n    {\n      "id": "anchor",\n      "agent_configs": {\n        "enabled_skills": ["knots"]\n',
    );
    expect(edited).toContain(FILE.slice(0, FILE.lastIndexOf('    }')));
  });

  it('begins a file', () => {
    const begun = patchStepText(null, 'moor', { enabled_skills: [] });
    expect(JSON.parse(begun ?? '')).toEqual({
      steps: [{ id: 'moor', agent_configs: { enabled_skills: [] } }],
    });
  });

  it('keeps CRLF, tabs and a missing final line end', () => {
    const text = '{\r\n\t"steps": [\r\n\t\t{\r\n\t\t\t"id": "a"\r\n\t\t}\r\n\t]\r\n}';
    expect(patchStepText(text, 'a', { enabled_skills: null })).toBe(
      text.replace(
        '"id": "a"',
        '"id": "a",\r\n\t\t\t"agent_configs": {\r\n\t\t\t\t"enabled_skills": null\r\n\t\t\t}',
      ),
    );
  });

  it('does not edit what is no step_config.json', () => {
    expect(patchStepText('{', 'a', {})).toBeNull();
    expect(patchStepText('{"steps": 1}', 'a', {})).toBeNull();
  });
});

const listArb = fc.option(fc.array(fc.constantFrom('knots', 'charts', 'ra"dio'), { maxLength: 3 }));
// JSON writes -0 as 0, so only what has been through JSON comes back as it was.
const jsonArb = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)));
const stepsArb = fc.uniqueArray(
  fc.record(
    {
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      agent_configs: fc.record({ enabled_skills: listArb, x: jsonArb }, { requiredKeys: [] }),
      note: jsonArb,
    },
    { requiredKeys: ['id'] },
  ),
  { selector: ({ id }) => id },
);
const indentArb = fc.constantFrom('', '  ', '\t', ' ');

describe('replaceStepConfigText', () => {
  it('removes a key that is named like something of every object', () => {
    const text = '{"constructor": 1, "steps": []}';
    expect(JSON.parse(replaceStepConfigText(text, { steps: [] }))).toEqual({ steps: [] });
  });
});

describe('every edit', () => {
  it('of one step leaves the bytes of all others and means what was asked', () => {
    fc.assert(
      fc.property(stepsArb, indentArb, fc.constantFrom('a', 'b', 'z'), listArb, (steps, indent, id, list) => {
        const text = JSON.stringify({ before: 1, steps, after: [] }, null, indent);
        const edited = patchStepText(text, id, { agent_configs: { enabled_skills: list } });
        if (edited === null) throw new Error('it is a step_config.json');
        const after = JSON.parse(edited) as { steps: (typeof steps)[number][] };
        expect(after.steps.find((step) => step.id === id)?.agent_configs?.enabled_skills).toEqual(list);
        expect(slices(edited).filter((slice) => !slice.includes(`"${id}"`))).toEqual(
          slices(text).filter((slice) => !slice.includes(`"${id}"`)),
        );
        expect(edited.startsWith(text.slice(0, text.indexOf('"steps"')))).toBe(true);
        const others = (all: typeof steps) => all.filter((step) => step.id !== id);
        // Through JSON, which has no -0.
        expect(others(after.steps)).toEqual(others(JSON.parse(JSON.stringify(steps)) as typeof steps));
      }),
    );
  });

  it('of a whole file gives the value that was asked for, and unchanged steps keep their bytes', () => {
    fc.assert(
      fc.property(stepsArb, stepsArb, indentArb, (old, next, indent) => {
        const text = JSON.stringify({ steps: old, extra: { kept: true } }, null, indent);
        const edited = replaceStepConfigText(text, { steps: next, extra: { kept: true } });
        expect(JSON.parse(edited)).toEqual(
          JSON.parse(JSON.stringify({ steps: next, extra: { kept: true } })),
        );
        const unchanged = old.filter((step) =>
          next.some((each) => JSON.stringify(each) === JSON.stringify(step)),
        );
        for (const step of unchanged) {
          const slice = slices(text).find((each) => (JSON.parse(each) as { id: string }).id === step.id);
          expect(edited).toContain(slice);
        }
      }),
    );
  });
});

function slices(text: string): string[] {
  const parsed = parseJsonText(text);
  const list = parsed.kind === 'ok' ? memberOf(parsed.root, 'steps')?.value : undefined;
  return list?.kind === 'array' ? list.items.map((item) => text.slice(item.start, item.end)) : [];
}
