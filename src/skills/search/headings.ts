const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/;
const MOST = 200;
const LONGEST = 200;

/**
 * The headings of a Markdown text, without those in code blocks; the first 200.
 *
 * @example headingsOf('# Rig\n```\n# no\n```\n## Sails ##\n') // ['Rig', 'Sails']
 */
export function headingsOf(body: string): string[] {
  const found: string[] = [];
  let fence: string | null = null;
  for (const line of body.split(/\r?\n/)) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = null;
      continue;
    }
    if (mark !== undefined) fence = mark;
    const text = HEADING.exec(line)?.[1];
    if (text !== undefined && text !== '') found.push(text.slice(0, LONGEST));
    if (found.length === MOST) break;
  }
  return found;
}
