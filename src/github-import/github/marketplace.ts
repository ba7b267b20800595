import { posix } from 'node:path';
import { z } from 'zod';
import { finding, type Finding } from '../../kernel/finding.js';
import { type SkillFolder } from '../skill-folders.js';
import { type GitFile } from './git-tree.js';

/** What a marketplace.json says of the skills of its repository. */
export interface MarketplaceSkills {
  /** Name of the plugin that a folder belongs to; null when none names it. */
  readonly pluginOf: (folder: string) => string | null;
  readonly findings: readonly Finding[];
}

const FILE = '.claude-plugin/marketplace.json';
const MAX_BYTES = 1_048_576;

const schema = z.object({
  metadata: z.object({ pluginRoot: z.string().optional() }).optional(),
  plugins: z.array(
    z.object({
      name: z.string().min(1).max(256),
      /** An object names another repository, which is not looked into. */
      source: z.union([z.string(), z.object({}).loose()]).optional(),
      skills: z.union([z.string(), z.array(z.string())]).optional(),
    }),
  ),
});

/** The marketplace.json of a folder of a repository. */
export function findMarketplace(files: readonly GitFile[], folder: string): GitFile | undefined {
  const path = folder === '' ? FILE : `${folder}/${FILE}`;
  return files.find((file) => file.path === path && file.size <= MAX_BYTES);
}

/** Which plugin each folder belongs to, and which named folders hold no skill. It never makes an import fail. */
export function readMarketplace(
  bytes: Buffer,
  path: string,
  folders: readonly SkillFolder[],
): MarketplaceSkills {
  const parsed = schema.safeParse(parseJson(bytes));
  if (!parsed.success) return { pluginOf: () => null, findings: [finding('marketplace_invalid', { path })] };
  const { metadata, plugins } = parsed.data;
  const top = posix.dirname(posix.dirname(path));
  const base = below(top === '.' ? '' : top, metadata?.pluginRoot ?? './') ?? '';
  const named = new Map<string, string>();
  const findings: Finding[] = [];
  for (const { name, source = './', skills } of plugins) {
    const root = typeof source === 'string' ? below(base, source) : null;
    if (root === null) continue;
    const listed = typeof skills === 'string' ? [skills] : (skills ?? ['./', './skills']);
    for (const one of listed) {
      const folder = below(root, one);
      const found = folders.filter((candidate) => folder !== null && isAtOrBelow(folder, candidate.path));
      for (const candidate of found) if (!named.has(candidate.path)) named.set(candidate.path, name);
      if (found.length === 0 && skills !== undefined) {
        findings.push(
          finding('marketplace_skill_missing', { path, found: JSON.stringify(one).slice(0, 80) }),
        );
      }
    }
  }
  return { pluginOf: (folder) => named.get(folder) ?? null, findings };
}

/** Null when the path leaves the folder. */
function below(folder: string, path: string): string | null {
  if (path.startsWith('/') || path.includes('\\')) return null;
  const joined = posix.join(folder === '' ? '.' : folder, path).replace(/\/$/, '');
  if (joined === '.') return '';
  return joined === '..' || joined.startsWith('../') ? null : joined;
}

function isAtOrBelow(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}
