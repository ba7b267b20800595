import { finding } from '../../kernel/finding.js';
import { isRecoverable } from './field-names.js';
import { type BrokenMapping, type ParsedMapping } from './parsed-mapping.js';
import { parsePlainLines } from './plain-lines.js';
import { recoverText } from './recover-text.js';
import { readYaml, type YamlSource } from './yaml-mapping.js';

/**
 * Reads the block between the fences.
 *
 * @param block its text, any line breaks.
 * @param firstLine 1-based line of the block in the file, for findings.
 */
export function parseFrontmatter(block: string, firstLine: number): ParsedMapping | BrokenMapping {
  const text = block.includes('\r') ? block.replaceAll('\r\n', '\n') : block;
  return parsePlainLines(text, firstLine) ?? parseYaml({ text, firstLine });
}

function parseYaml(source: YamlSource): ParsedMapping | BrokenMapping {
  return readRecovering(source).parsed;
}

/**
 * Reads a block and gives the text that YAML accepted: the source, or the source with the odd values of text fields
 * quoted, line for line.
 */
export function readRecovering(source: YamlSource): {
  readonly parsed: ParsedMapping | BrokenMapping;
  readonly text: string;
} {
  const parsed = readSafely(source);
  if (parsed.kind === 'mapping' && !hasCollectionForText(parsed)) return { parsed, text: source.text };
  const { text, findings } = recoverText(source);
  if (findings.length === 0) return { parsed, text: source.text };
  const recovered = readSafely({ ...source, text });
  return { parsed: { ...recovered, findings: [...findings, ...recovered.findings] }, text };
}

function hasCollectionForText({ keys }: ParsedMapping): boolean {
  return Object.entries(keys).some(
    ([key, value]) => typeof value === 'object' && value !== null && isRecoverable(key),
  );
}

/** No file may end a scan: what the package throws beyond its own errors is a finding, too. */
function readSafely(source: YamlSource): ParsedMapping | BrokenMapping {
  try {
    return readYaml(source);
  } catch (error) {
    const message = `Not valid YAML: ${error instanceof Error ? error.message : String(error)}`;
    return { kind: 'broken', findings: [finding('yaml_invalid', { line: source.firstLine, message })] };
  }
}
