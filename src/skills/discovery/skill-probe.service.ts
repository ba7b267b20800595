import { checkSlug } from '../../kernel/slug.js';
import { type FileRead, type FileStamp, isSettled, sameStamp } from '../../workspace/file-facts.js';
import { type WorkspaceFiles } from '../../workspace/workspace-files.adapter.js';
import { type SkillHead } from '../format/skill-document.js';
import { parseSkillHead } from '../format/skill-head.js';
import {
  entryFromHead,
  entryFromRefusal,
  type FoundSkill,
  holdLastGood,
  type Identity,
  shownPath,
  type SkillPlace,
} from './found-skill.js';
import { SKILL_FILE, skillFileAmong } from './not-part.js';
import { type SkillLocation } from './skill-entry.js';

// Holds the frontmatter of nearly every skill.
const HEAD_BYTES = 4096;
// A missing or broken file counts only when it stays so: an editor may be between two steps of saving.
const HOLD_MS = 1000;

export interface ProbeLimits {
  readonly skillMdBytes: number;
  readonly frontmatterBytes: number;
}

export type ProbeResult =
  | { readonly kind: 'skill'; readonly found: FoundSkill }
  | { readonly kind: 'no_skill'; readonly hasFolders: boolean }
  | { readonly kind: 'bad_slug'; readonly because: string };

/** Looks into single folders of one location: is this a skill, and what does the head of its file say? */
export class SkillProbe {
  /** One for all heads of a pass: a new one for each costs more in garbage collection than the reading. */
  private readonly head = Buffer.allocUnsafeSlow(HEAD_BYTES);

  constructor(
    private readonly files: WorkspaceFiles,
    private readonly location: SkillLocation,
    private readonly identity: Identity,
    private readonly limits: ProbeLimits,
    /** Milliseconds since the epoch at the start of the pass. */
    private readonly now: number,
  ) {}

  /**
   * @param folder below the location, on-disk spelling
   * @param dir absolute, without links below `root`
   * @param root real path that the file must lie in; null when the caller proves that it does
   */
  probe(folder: string, dir: string, root: string | null, previous: FoundSkill | undefined): ProbeResult {
    if (previous !== undefined && this.unchanged(dir, previous)) return { kind: 'skill', found: previous };
    let fileName: string = SKILL_FILE;
    let folderStamp: FileStamp | null = null;
    let read = this.readHead(dir, fileName, root, this.head);
    if (read.kind === 'refused' && read.reason === 'missing') {
      folderStamp = this.files.stamp(dir);
      const listing = this.files.list(dir);
      const items = listing.kind === 'ok' ? listing.items : [];
      const twin = skillFileAmong(items.map((item) => item.name));
      if (twin === null) {
        const held = this.holdMissing(previous);
        if (held !== null) return { kind: 'skill', found: held };
        return { kind: 'no_skill', hasFolders: items.some((item) => item.kind === 'folder') };
      }
      fileName = twin;
      read = this.readHead(dir, fileName, root, this.head);
    }
    const slug = checkSlug(folder);
    if (slug.kind === 'invalid') return { kind: 'bad_slug', because: slug.because };
    const { location } = this;
    const place = { location, folder, dir, fileName, slug: slug.slug, canonical: slug.canonical };
    return { kind: 'skill', found: this.judge(place, root, read, folderStamp, previous) };
  }

  private unchanged(dir: string, previous: FoundSkill): boolean {
    if (previous.stamp === null || !previous.settled) return false;
    const stamp = this.files.stamp(`${dir}/${previous.entry.fileName}`);
    if (stamp === null || !sameStamp(stamp, previous.stamp)) return false;
    if (previous.folderStamp === null) return true;
    const folderStamp = this.files.stamp(dir);
    return folderStamp !== null && sameStamp(folderStamp, previous.folderStamp);
  }

  private judge(
    place: SkillPlace,
    root: string | null,
    read: FileRead,
    folderStamp: FileStamp | null,
    previous: FoundSkill | undefined,
  ): FoundSkill {
    const good = lastGood(previous);
    if (read.kind === 'refused') {
      if (good !== undefined && read.reason === 'unreadable') {
        const because = `${place.fileName} could not be read, ${read.because}`;
        return this.settle(holdLastGood(good, previous?.held?.since ?? this.now, because), previous);
      }
      return this.settle(
        { entry: entryFromRefusal(place, read), stamp: null, settled: false, folderStamp, held: null },
        previous,
      );
    }
    const path = shownPath(place);
    const head = this.parse(place, path, root, read);
    const settled = isSettled(read.stamp, this.now);
    const quiet = this.now - read.stamp.mtimeMs > HOLD_MS;
    if (!head.valid && good !== undefined && !quiet) {
      const because = `${place.fileName} was just written and does not parse`;
      return this.settle(holdLastGood(good, previous?.held?.since ?? this.now, because), previous);
    }
    const entry = entryFromHead(place, head, this.identity, path);
    return this.settle({ entry, stamp: read.stamp, settled, folderStamp, held: null }, previous);
  }

  /** Keeps the entry object while nothing that can be seen has changed, so that what was cached for it stays. */
  private settle(found: FoundSkill, previous: FoundSkill | undefined): FoundSkill {
    for (const earlier of [previous, previous?.held?.good]) {
      if (earlier !== undefined && looksTheSame(found, earlier)) return { ...found, entry: earlier.entry };
    }
    return found;
  }

  private holdMissing(previous: FoundSkill | undefined): FoundSkill | null {
    const good = lastGood(previous);
    if (good === undefined) return null;
    const since = previous?.held?.since ?? this.now;
    if (this.now - since >= HOLD_MS) return null;
    return this.settle(holdLastGood(good, since, `${good.entry.fileName} is missing`), previous);
  }

  private parse(
    place: SkillPlace,
    path: string,
    root: string | null,
    read: FileRead & { kind: 'ok' },
  ): SkillHead {
    const { limits } = this;
    const context = {
      folderName: place.folder.slice(place.folder.lastIndexOf('/') + 1),
      path,
      limits,
      size: read.stamp.size,
    };
    const head = parseSkillHead(read.bytes, context);
    if (head !== 'need_more') return head;
    const into = Buffer.allocUnsafe(Math.min(context.size, limits.frontmatterBytes + HEAD_BYTES));
    const again = this.readHead(place.dir, place.fileName, root, into);
    const bytes = again.kind === 'ok' ? again.bytes : Buffer.alloc(0);
    const more = parseSkillHead(bytes, context);
    // Asking again means that the file shrank between the two reads: what is there is judged as it is.
    const final = more === 'need_more' ? parseSkillHead(bytes, { ...context, size: bytes.length }) : more;
    if (final === 'need_more') throw new Error('parseSkillHead asked for more than the whole file');
    return final;
  }

  private readHead(dir: string, fileName: string, root: string | null, into: Buffer): FileRead {
    const path = `${dir}/${fileName}`;
    const maxBytes = this.limits.skillMdBytes;
    const hardLinks = this.location.layer === 'bundled' ? 'accept' : 'refuse';
    const read = this.files.read(path, { within: root === null ? null : [root], maxBytes, into, hardLinks });
    if (read.kind === 'ok' || read.reason !== 'link') return read;
    // A link to another file of the same skill is as good as a copy.
    return this.files.read(path, { within: [dir], maxBytes, into, hardLinks, links: 'follow' });
  }
}

function lastGood(previous: FoundSkill | undefined): FoundSkill | undefined {
  if (previous === undefined) return undefined;
  return previous.held?.good ?? (previous.entry.version > 0 ? previous : undefined);
}

function looksTheSame(a: FoundSkill, b: FoundSkill): boolean {
  const untouched = a.stamp === null || b.stamp === null ? a.stamp === b.stamp : sameStamp(a.stamp, b.stamp);
  return untouched && JSON.stringify(a.entry) === JSON.stringify(b.entry);
}
