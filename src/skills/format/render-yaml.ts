import { parsePlainLines } from './plain-lines.js';
import { type JsonValue } from './skill-document.js';

// Words and shapes that some YAML reader takes for a boolean, a number, a date or nothing.
const OTHER_TYPE = /^(?:true|false|yes|no|on|off|y|n|null|~)$/i;

/** A mapping entry as the lines of a block mapping, without line breaks and indentation. */
export function renderEntry(key: string, value: JsonValue): string[] {
  const name = renderText(key);
  if (value === null) return [`${name}:`];
  if (isRecord(value) && Object.keys(value).length > 0) {
    return [
      `${name}:`,
      ...Object.entries(value).map(([inner, item]) => `  ${renderText(inner)}: ${renderFlow(item)}`),
    ];
  }
  return [`${name}: ${renderFlow(value)}`];
}

/** A value on one line. */
function renderFlow(value: JsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return renderText(value);
  if (Array.isArray(value)) return `[${value.map(renderItem).join(', ')}]`;
  if (!isRecord(value)) return String(value);
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${renderItem(item)}`);
  return `{${entries.join(', ')}}`;
}

/** Inside brackets every text is quoted: what is safe there is harder to see. */
function renderItem(value: JsonValue): string {
  return typeof value === 'string' ? JSON.stringify(value) : renderFlow(value);
}

/** A text that every YAML reader takes for this very text: plain where that is certain, else in double quotes. */
function renderText(text: string): string {
  const isWord = /^[A-Za-z]/.test(text) && !OTHER_TYPE.test(text);
  const isPlain = isWord && parsePlainLines(`k: ${text}\n`, 1)?.keys['k'] === text;
  return isPlain ? text : JSON.stringify(text);
}

function isRecord(value: JsonValue): value is Record<string, JsonValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
