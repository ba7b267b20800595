/** One skill as a listing names it: every field is one line without invisible characters, not yet escaped. */
export interface ListedSkill {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  /** `skills/x/SKILL.md`, `~/.claude/skills/x/SKILL.md`, `builtin`. */
  readonly location: string;
  /** `missing: pip:openpyxl`; null when nothing is missing. */
  readonly warning: string | null;
}

export type ListingFormat = 'xml' | 'agent-skills' | 'markdown' | 'lines' | 'json';

interface FormatRules {
  readonly head: string;
  readonly between: string;
  readonly tail: string;
  /** The address that a listing is sorted by. */
  readonly key: 'slug' | 'name';
  entry(skill: ListedSkill): string;
}

/** How each format writes a listing; every field is escaped here, at the sink, and nowhere else. */
export const LISTING_FORMATS: Readonly<Record<ListingFormat, FormatRules>> = {
  xml: {
    head: '<available_skills>\n',
    between: '\n',
    tail: '\n</available_skills>',
    key: 'slug',
    entry: ({ name, slug, description, warning }) => {
      const warned = warning === null ? '' : ` warning="${escapeXml(warning)}"`;
      return `  <skill name="${escapeXml(name)}" slug="${escapeXml(slug)}"${warned}>${escapeXml(description)}</skill>`;
    },
  },
  'agent-skills': {
    head: '<available_skills>\n',
    between: '\n',
    tail: '\n</available_skills>',
    key: 'slug',
    entry: ({ name, slug, description, location, warning }) =>
      [
        '  <skill>',
        element('name', name),
        ...(slug === name ? [] : [element('slug', slug)]),
        element('description', description),
        element('location', location),
        ...(warning === null ? [] : [element('warning', warning)]),
        '  </skill>',
      ].join('\n'),
  },
  markdown: {
    head: '## Available skills\n\n',
    between: '\n',
    tail: '\n',
    key: 'slug',
    entry: ({ name, slug, description, warning }) => {
      const address = slug === name ? '' : ` (\`${escapeAngles(slug)}\`)`;
      const text = description === '' ? '' : `: ${escapeAngles(description)}`;
      const warned = warning === null ? '' : ` (warning: ${escapeAngles(warning)})`;
      return `- **${escapeMarkdown(name)}**${address}${text}${warned}`;
    },
  },
  // The addendum of prioritized discovery, byte for byte; hence plain text, and the name as the key.
  lines: {
    head: 'Available skills (call the `skill` tool with a name from this list to load its full instructions):\n',
    between: '\n',
    tail: '\n',
    key: 'name',
    entry: ({ name, slug, description, location, warning }) => {
      const address = slug === name ? name : `${name} (${slug})`;
      const warned = warning === null ? '' : ` (warning: ${warning})`;
      return `- ${address} [${location}]: ${description || '(no description)'}${warned}`;
    },
  },
  json: {
    head: '{"available_skills":[',
    between: ',',
    tail: ']}',
    key: 'slug',
    entry: ({ name, slug, description, warning }) =>
      escapeJson(JSON.stringify({ name, slug, description, ...(warning === null ? {} : { warning }) })),
  },
};

const XML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Makes text safe inside an element and inside a quoted attribute. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => XML_ENTITIES[character] ?? character);
}

function escapeAngles(text: string): string {
  return text.replace(/[&<>]/g, (character) => XML_ENTITIES[character] ?? character);
}

function escapeMarkdown(text: string): string {
  return escapeAngles(text.replace(/[\\`*_[\]]/g, '\\$&'));
}

// Inside JSON an angle bracket may be written as an escape: the value stays, and no tag can form in a prompt.
function escapeJson(json: string): string {
  return json.replace(/[<>&]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function element(tag: string, text: string): string {
  return `    <${tag}>${escapeXml(text)}</${tag}>`;
}
