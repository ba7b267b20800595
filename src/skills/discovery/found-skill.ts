import { type Finding, finding } from '../../kernel/finding.js';
import { type FindingCode } from '../../kernel/finding-codes.js';
import { type FileRefusal, type FileStamp, type RefusalReason } from '../../workspace/file-facts.js';
import { NOTHING_DECLARED } from '../format/field-setters.js';
import { type SkillHead } from '../format/skill-document.js';
import { entryId } from './entry-id.js';
import { SKILL_FILE } from './not-part.js';
import { type SkillEntry, type SkillLocation } from './skill-entry.js';

/** A skill folder as the walk found it, with what the next pass needs to know that nothing changed. */
export interface FoundSkill {
  /** Judged alone: what other locations hold is not in it yet. */
  readonly entry: SkillEntry;
  /** Of SKILL.md; null when it could not be opened. */
  readonly stamp: FileStamp | null;
  /** Whether the stamp can vouch for the bytes. */
  readonly settled: boolean;
  /** Of the folder, when another name in it would win: the file is a case twin of SKILL.md. */
  readonly folderStamp: FileStamp | null;
  /** Set while the file is missing or broken for a moment and the last good state stands in for it. */
  readonly held: { readonly since: number; readonly good: FoundSkill } | null;
}

/** Where a skill folder lies. */
export interface SkillPlace {
  readonly location: SkillLocation;
  /** Folder below the location, in the on-disk spelling. */
  readonly folder: string;
  /** Absolute; the real target when the folder is a link. */
  readonly dir: string;
  readonly fileName: string;
  readonly slug: string;
  readonly canonical: boolean;
}

/** How skills of one catalogue are told apart: by folder path, or, in profile `discovery`, by name. */
export type Identity = 'slug' | 'name';

const REFUSAL_CODES: Readonly<Record<RefusalReason, FindingCode>> = {
  missing: 'file_unreadable',
  unreadable: 'file_unreadable',
  link: 'link_refused',
  outside: 'link_refused',
  hard_link: 'file_not_regular',
  not_regular: 'file_not_regular',
  too_large: 'skill_md_too_large',
};

/** `skills/pdf/SKILL.md` */
export function shownPath(place: Pick<SkillPlace, 'location' | 'folder' | 'fileName'>): string {
  return `${place.location.shownAs}/${place.folder}/${place.fileName}`;
}

/** The entry of a folder whose SKILL.md was read. */
export function entryFromHead(
  place: SkillPlace,
  head: SkillHead,
  identity: Identity,
  path = shownPath(place),
): SkillEntry {
  const folderName = place.folder.slice(place.folder.lastIndexOf('/') + 1);
  const name = head.frontmatter.name ?? folderName;
  const slug = identity === 'name' && head.valid ? name : place.slug;
  const layer = place.location.layer;
  return {
    id: entryId(layer, slug),
    slug,
    name,
    description: head.frontmatter.description ?? '',
    layer,
    source: place.location.label,
    origin: layer === 'bundled' ? 'bundled' : 'disk',
    version: head.valid ? 1 : 0,
    enabled: true,
    status: 'active',
    missingDeps: [],
    availability: head.valid ? 'available' : 'invalid',
    shadowedBy: null,
    frontmatter: head.frontmatter,
    findings: withPlaceFindings(head.findings, place, path),
    folderName,
    dir: place.dir,
    filePath: path,
    fileName: place.fileName,
    stored: null,
  };
}

/** The entry of a folder whose SKILL.md was refused: for people, never offered. */
export function entryFromRefusal(place: SkillPlace, refusal: FileRefusal): SkillEntry {
  const path = shownPath(place);
  const problem = finding(REFUSAL_CODES[refusal.reason], {
    severity: 'error',
    path,
    message: `${place.fileName} was not read: ${refusal.because}.`,
  });
  return entryFromHead(
    place,
    { frontmatter: NOTHING_DECLARED, keys: null, findings: [problem], valid: false, bodyOffset: 0 },
    'slug',
  );
}

/** The last good state of a skill whose file is being written right now. */
export function holdLastGood(good: FoundSkill, since: number, because: string): FoundSkill {
  const note = finding('file_unstable', {
    path: good.entry.filePath,
    message: `The last good state is used for the moment: ${because}.`,
  });
  return {
    ...good,
    settled: false,
    entry: { ...good.entry, findings: [...good.entry.findings, note] },
    held: { since, good },
  };
}

function withPlaceFindings(remarks: readonly Finding[], place: SkillPlace, path: string): readonly Finding[] {
  if (place.canonical && place.fileName === SKILL_FILE) return remarks;
  const findings = [...remarks];
  if (!place.canonical) findings.push(finding('slug_nonconforming', { path, found: place.slug }));
  if (place.fileName !== SKILL_FILE) {
    findings.push(
      finding('file_name_case', { path, found: place.fileName, hint: `rename it to ${SKILL_FILE}` }),
    );
  }
  return findings;
}
