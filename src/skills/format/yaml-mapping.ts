import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  Parser,
  type Document,
  type Node,
  type Pair,
  type ParsedNode,
} from 'yaml';
import { finding, quoteFound, type Finding } from '../../kernel/finding.js';
import { isRecoverable } from './field-names.js';
import {
  emptyRecord,
  isNullWord,
  UNSAFE_KEYS,
  type BrokenMapping,
  type KeyPlace,
  type ParsedMapping,
} from './parsed-mapping.js';
import { type JsonValue } from './skill-document.js';
import { isTooDeep } from './yaml-depth.js';

/** Text (line breaks as LF) with the 1-based line where it stands in the file. */
export interface YamlSource {
  readonly text: string;
  readonly firstLine: number;
}

// What YAML can turn into any character, and the one character that no check before it finds.
const ESCAPES = /[\\\0]/;

type YamlNode = Node | ParsedNode | null;

/**
 * Reads a block with the `yaml` package: core structure, every scalar as the text of the source. Duplicate keys,
 * anchors, aliases, tags and deep nesting are errors; nothing is expanded or evaluated.
 */
export function readYaml(source: YamlSource): ParsedMapping | BrokenMapping {
  const composed = composeYaml(source.text);
  if ('finding' in composed) return { kind: 'broken', findings: [composed.finding] };
  const { document, counter } = composed;
  const walk = new YamlWalk(source, counter);
  for (const { message, pos } of document.errors) {
    walk.findings.push(
      finding('yaml_invalid', { ...walk.at(pos[0]), message: `Not valid YAML: ${message}.` }),
    );
  }
  const { contents } = document;
  if (contents !== null && !isMap(contents) && walk.findings.length === 0) {
    const place = walk.at(contents.range[0]);
    walk.findings.push(finding('frontmatter_not_a_mapping', place));
  }
  const places: KeyPlace[] = [];
  const keys = isMap(contents) ? walk.mapping(contents, places, '') : emptyRecord();
  const broken = walk.findings.some((remark) => remark.severity === 'error');
  return broken
    ? { kind: 'broken', findings: walk.findings }
    : { kind: 'mapping', keys, places, findings: walk.findings, escapes: ESCAPES.test(source.text) };
}

/** The document tree, or the one finding that says why there is none. */
export function composeYaml(
  text: string,
): { readonly document: Document.Parsed; readonly counter: LineCounter } | { readonly finding: Finding } {
  const counter = new LineCounter();
  const tokens = [...new Parser(counter.addNewLine).parse(text)];
  // Composing recurses: past some depth it does not throw but ends the process, so depth is judged before.
  if (isTooDeep(tokens)) return { finding: finding('yaml_too_deep') };
  // Keys are compared by YamlWalk: the package's own check is quadratic.
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, prettyErrors: false });
  const [document, second] = [...composer.compose(tokens, true, text.length)] as Document.Parsed[];
  if (document === undefined) return { finding: finding('frontmatter_not_a_mapping') };
  if (second !== undefined) {
    const message = 'A second YAML document begins inside the frontmatter.';
    return { finding: finding('yaml_invalid', { message }) };
  }
  return { document, counter };
}

/** Turns nodes into JSON and notes what is refused, each with its place. */
class YamlWalk {
  readonly findings: Finding[] = [];

  constructor(
    private readonly source: YamlSource,
    private readonly counter: LineCounter,
  ) {}

  /** Place of an offset in the file. */
  at(offset: number): { line: number; column: number } {
    const { line, col } = this.counter.linePos(offset);
    return { line: line + this.source.firstLine - 1, column: col };
  }

  mapping(map: { items: Pair[] }, places: KeyPlace[] | null, path: string): Record<string, JsonValue> {
    const record = emptyRecord();
    const seen = new Set<string>();
    for (const { key: keyNode, value } of map.items) {
      const key = this.key(keyNode as YamlNode);
      if (key === null) continue;
      const [start, end] = (keyNode as Node).range ?? [0, 0];
      const place = this.at(start);
      const field = path === '' ? key : `${path}.${key}`;
      if (seen.has(key)) {
        const message = `The key ${quoteFound(key)} stands twice.`;
        this.findings.push(finding('yaml_duplicate_key', { ...place, field, message }));
        continue;
      }
      seen.add(key);
      if (UNSAFE_KEYS.has(key)) {
        this.findings.push(finding('field_dropped', { ...place, field, found: quoteFound(key) }));
        continue;
      }
      record[key] = this.value(value as YamlNode, field);
      if (places !== null && (key === 'name' || isRecoverable(key))) this.noteCut(value as YamlNode, key);
      places?.push({ key, ...place, endColumn: this.at(end).column });
    }
    return record;
  }

  /** An unquoted value whose line goes on behind " #" lost what its author wrote there. */
  private noteCut(node: YamlNode, field: string): void {
    if (!isScalar(node) || node.type !== 'PLAIN' || !node.range) return;
    const end = node.range[1];
    const { text } = this.source;
    let at = end;
    while (text[at] === ' ' || text[at] === '\t') at += 1;
    if (at === end || text[at] !== '#') return;
    const lineEnd = text.indexOf('\n', at);
    const found = quoteFound(text.slice(at, lineEnd < 0 ? text.length : lineEnd));
    const hint = 'Put the whole value in quotes.';
    this.findings.push(finding('yaml_comment_cut', { ...this.at(at), field, found, hint }));
  }

  private key(node: YamlNode): string | null {
    if (isScalar(node) && typeof node.value === 'string' && !this.refused(node, node.value))
      return node.value;
    if (!isScalar(node)) {
      const place = this.at(node?.range?.[0] ?? 0);
      this.findings.push(finding('yaml_invalid', { ...place, message: 'A key must be plain text.' }));
    }
    return null;
  }

  private value(node: YamlNode, field: string): JsonValue {
    if (node === null || this.refused(node, field)) return null;
    if (isMap(node)) return this.mapping(node, null, field);
    if (isSeq(node)) {
      return node.items.map((item, index) => this.value(item as YamlNode, `${field}[${index}]`));
    }
    if (!isScalar(node) || typeof node.value !== 'string') return null;
    return node.type === 'PLAIN' && isNullWord(node.value) ? null : node.value;
  }

  /** Anchors, aliases and tags, which data for a listing never needs. */
  private refused(node: Node, field: string): boolean {
    const alias = isAlias(node) || (node as { anchor?: string }).anchor !== undefined;
    const { tag } = node as { tag?: string };
    if (!alias && tag === undefined) return false;
    const place = this.at(node.range?.[0] ?? 0);
    this.findings.push(finding(alias ? 'yaml_alias' : 'yaml_tag', { ...place, field }));
    return true;
  }
}
