import { type Finding } from '../../kernel/finding.js';
import { sameStamp } from '../../workspace/file-facts.js';
import { type Sliced } from '../../workspace/time-slices.js';
import { type WorkspaceFiles } from '../../workspace/workspace-files.adapter.js';
import { type FoundSkill } from '../discovery/found-skill.js';
import { type SkillEntry } from '../discovery/skill-entry.js';
import { type SkillSource } from '../discovery/skill-walk.service.js';
import { type NewContent } from '../store/stored-skill.js';
import { fingerprintFolder, type FolderFingerprint } from './folder-fingerprint.service.js';
import { type FolderContent, readFolder, type ReadLimits } from './read-folder.service.js';

/** What lies on disk of one skill, as it was seen last. */
export interface DiskFact {
  /** The same object as long as SKILL.md is unchanged. */
  readonly entry: SkillEntry;
  /** Null: what lies there cannot become a version. */
  readonly digest: string | null;
  /** Why not. */
  readonly refused: readonly Finding[];
  /** Null while the folder could change again unseen. */
  readonly fingerprint: string | null;
  /** To be watched. */
  readonly folders: readonly string[];
}

/** Bytes that were read just now, with the fact that they make. */
export interface FreshRead {
  readonly fact: DiskFact;
  /** Null for a refused folder. */
  readonly content: NewContent | null;
}

const NONE_REFUSED: readonly Finding[] = [];

/** What was read of the folders of skills, and whether it still holds. */
export class DiskFacts {
  private readonly facts = new Map<string, DiskFact>();
  private changes = 0;

  constructor(
    private readonly files: WorkspaceFiles,
    private readonly limits: ReadLimits,
    private readonly sourceOf: (entry: SkillEntry) => SkillSource,
    private readonly now: () => number,
  ) {}

  get(key: string): DiskFact | undefined {
    return this.facts.get(key);
  }

  /** Another number whenever some fact says something else. */
  generation(): number {
    return this.changes;
  }

  forget(key: string): void {
    if (this.facts.delete(key)) this.changes += 1;
  }

  /**
   * Looks at a folder without opening a file.
   *
   * @param synced fingerprint and digest of the last sync, by which a first look after a start is spared the reading
   * @returns `unread` when its bytes have to be read to know them
   */
  *look(
    key: string,
    { entry }: FoundSkill,
    synced: { readonly fingerprint: string | null; readonly digest: string } | undefined,
  ): Sliced<DiskFact | 'missing' | 'unread'> {
    const seen = yield* fingerprintFolder(this.files, this.sourceOf(entry), this.now());
    if (seen === null) return 'missing';
    if (!seen.settled) return 'unread';
    const before = this.facts.get(key);
    if (before?.fingerprint === seen.fingerprint) {
      return this.keep(key, { ...before, entry, folders: seen.folders });
    }
    if (synced?.fingerprint === seen.fingerprint) {
      return this.keep(key, factOf(entry, synced.digest, NONE_REFUSED, seen));
    }
    return 'unread';
  }

  /** Reads a folder whole. */
  *read(key: string, found: FoundSkill): Sliced<FreshRead | 'missing' | 'unstable'> {
    const { entry } = found;
    const read = yield* readFolder(this.files, this.sourceOf(entry), this.limits, this.now());
    if (read.kind === 'missing' || read.kind === 'unstable') return read.kind;
    // What the scan said of SKILL.md would be shown as what these bytes say.
    if (!this.isAsScanned(found)) return 'unstable';
    switch (read.kind) {
      case 'invalid':
        return { fact: this.keep(key, factOf(entry, null, read.findings, read.seen)), content: null };
      case 'ok': {
        const fact = this.keep(key, factOf(entry, read.content.digest, NONE_REFUSED, read.seen));
        return { fact, content: contentOf(entry, read.content, read.findings) };
      }
    }
  }

  private isAsScanned({ entry, stamp }: FoundSkill): boolean {
    if (stamp === null) return true;
    const place = this.files.resolve(`${entry.dir ?? ''}/${entry.fileName}`);
    const now = place === null ? null : this.files.stamp(place.path);
    return now !== null && sameStamp(now, stamp);
  }

  private keep(key: string, fact: DiskFact): DiskFact {
    const before = this.facts.get(key);
    const { entry, digest, refused } = fact;
    if (before?.entry !== entry || before.digest !== digest || before.refused !== refused) this.changes += 1;
    this.facts.set(key, fact);
    return fact;
  }
}

function factOf(
  entry: SkillEntry,
  digest: string | null,
  refused: readonly Finding[],
  seen: FolderFingerprint,
): DiskFact {
  const { folders } = seen;
  return { entry, digest, refused, fingerprint: seen.settled ? seen.fingerprint : null, folders };
}

function contentOf(
  entry: SkillEntry,
  { digest, files, blobs, fileName, document }: FolderContent,
  findings: readonly Finding[],
): NewContent {
  const main = files.find((file) => file.path === fileName);
  if (main === undefined) throw new Error('a folder without its SKILL.md is no content');
  const { frontmatter } = document;
  return {
    digest,
    fileHash: main.sha256,
    manifest: [main, ...files.filter((file) => file !== main)],
    bytes: blobs,
    name: frontmatter.name ?? entry.folderName,
    description: frontmatter.description ?? '',
    tags: frontmatter.tags ?? [],
    frontmatter: document.keys ?? {},
    findings,
    filePath: entry.filePath,
    origin: entry.origin,
    provenance: null,
  };
}
