import { type Finding, finding } from '../../kernel/finding.js';
import { entryId } from './entry-id.js';
import { type Identity } from './found-skill.js';
import { type SkillEntry } from './skill-entry.js';

/** All skills with the question "which one answers?" decided. */
export interface MergedSkills {
  /** By slug, then by order of locations. */
  readonly entries: readonly SkillEntry[];
  readonly bySlug: ReadonlyMap<string, SkillEntry>;
  readonly byName: ReadonlyMap<string, readonly SkillEntry[]>;
  readonly byId: ReadonlyMap<string, SkillEntry>;
  /** Entry of the snapshot -> the same skill as it was found. */
  readonly foundAs: ReadonlyMap<SkillEntry, SkillEntry>;
}

/**
 * Decides between skills of one slug. The first that can be used wins, so that a broken one never hides
 * another; without any, the first stands for the slug and says what is wrong with it.
 *
 * @param found every skill, in the order of locations
 * @param builtins served from code; reserved when skills are told apart by slug, last when by name
 */
export function mergeSkills(
  found: readonly SkillEntry[],
  builtins: readonly SkillEntry[],
  identity: Identity,
): MergedSkills {
  const ordered = identity === 'slug' ? [...builtins, ...found] : [...found, ...builtins];
  const groups = new Map<string, SkillEntry | SkillEntry[]>();
  for (const entry of ordered) {
    const group = groups.get(entry.slug);
    // Nearly every slug stands once: no list is made for it.
    if (group === undefined) groups.set(entry.slug, entry);
    else if (Array.isArray(group)) group.push(entry);
    else groups.set(entry.slug, [group, entry]);
  }
  const slugs = [...groups.keys()].sort();
  const decided: { entry: SkillEntry; found: SkillEntry }[] = [];
  const winners: SkillEntry[] = [];
  for (const slug of slugs) {
    const group = groups.get(slug);
    if (group === undefined) continue;
    if (!Array.isArray(group)) {
      decided.push({ entry: group, found: group });
      winners.push(group);
      continue;
    }
    const judged = judgeGroup(group);
    decided.push(...judged.members);
    winners.push(judged.winner);
  }
  return index(decided, winners);
}

interface Decided {
  entry: SkillEntry;
  readonly found: SkillEntry;
}

function judgeGroup(group: readonly SkillEntry[]): { members: Decided[]; winner: SkillEntry } {
  const first = group.find((entry) => entry.availability !== 'invalid') ?? group[0];
  if (first === undefined) throw new Error('a group of skills is never empty');
  const winnerAt = group.indexOf(first);
  const members = group.map((found, at): Decided => {
    if (at === winnerAt) return { found, entry: withFindings(found, winnerFindings(group, winnerAt)) };
    return { found, entry: loser(found, first, at, group) };
  });
  return { members, winner: members[winnerAt]?.entry ?? first };
}

function winnerFindings(group: readonly SkillEntry[], winnerAt: number): Finding[] {
  const winner = group[winnerAt];
  if (winner === undefined) return [];
  const path = winner.filePath;
  const before = group.slice(0, winnerAt);
  const after = group.slice(winnerAt + 1);
  return [
    ...before.map((entry) => finding('earlier_broken', { path, found: entry.filePath })),
    ...after
      .filter(
        (entry) => (entry.layer === 'bundled' || entry.layer === 'builtin') && winner.layer !== entry.layer,
      )
      .map((entry) => finding('shadows_bundled', { path, found: entry.filePath })),
  ];
}

function loser(found: SkillEntry, winner: SkillEntry, at: number, group: readonly SkillEntry[]): SkillEntry {
  // Two spellings of one slug in one location would share an id.
  const twins = group.slice(0, at).filter((entry) => entry.id === found.id).length;
  const id = twins === 0 ? found.id : entryId(found.layer, `${found.slug}\0${twins}`);
  const code = winner.layer === 'builtin' && found.layer !== 'builtin' ? 'builtin_reserved' : 'shadowed';
  const note = finding(code, { path: found.filePath, found: winner.filePath });
  return {
    ...found,
    id,
    shadowedBy: winner.id,
    availability: found.availability === 'invalid' ? 'invalid' : 'shadowed',
    findings: [...found.findings, note],
  };
}

function index(decided: readonly Decided[], winners: readonly SkillEntry[]): MergedSkills {
  const byName = groupByName(winners);
  const renamed = shareNames(byName);
  const entries: SkillEntry[] = [];
  const byId = new Map<string, SkillEntry>();
  const foundAs = new Map<SkillEntry, SkillEntry>();
  for (const { entry, found } of decided) {
    const final = renamed.get(entry) ?? entry;
    entries.push(final);
    byId.set(final.id, final);
    if (final !== found) foundAs.set(final, found);
  }
  const bySlug = new Map<string, SkillEntry>();
  for (const winner of winners) bySlug.set(winner.slug, renamed.get(winner) ?? winner);
  return { entries, bySlug, byName, byId, foundAs };
}

/** A skill that cannot be used has its name only where no usable one claims it. */
function groupByName(winners: readonly SkillEntry[]): Map<string, SkillEntry[]> {
  const byName = new Map<string, SkillEntry[]>();
  const isUsable = (entry: SkillEntry): boolean => entry.availability !== 'invalid';
  for (const winner of winners) {
    if (!isUsable(winner)) continue;
    const sharing = byName.get(winner.name);
    if (sharing === undefined) byName.set(winner.name, [winner]);
    else sharing.push(winner);
  }
  for (const winner of winners) {
    if (!isUsable(winner) && !byName.has(winner.name)) byName.set(winner.name, [winner]);
  }
  return byName;
}

/** Marks winners that share a name, in the lists of the map too; gives marked entries by unmarked ones. */
function shareNames(byName: Map<string, SkillEntry[]>): ReadonlyMap<SkillEntry, SkillEntry> {
  const renamed = new Map<SkillEntry, SkillEntry>();
  for (const [name, sharing] of byName) {
    if (sharing.length < 2) continue;
    const marked = sharing.map((entry) => {
      const others = sharing.slice(0, 4).filter((other) => other !== entry);
      const found = others
        .map((other) => other.filePath)
        .slice(0, 3)
        .join(', ');
      return withFindings(entry, [finding('name_shared', { path: entry.filePath, field: 'name', found })]);
    });
    sharing.forEach((entry, at) => renamed.set(entry, marked[at] ?? entry));
    byName.set(name, marked);
  }
  return renamed;
}

function withFindings(entry: SkillEntry, findings: readonly Finding[]): SkillEntry {
  return findings.length === 0 ? entry : { ...entry, findings: [...entry.findings, ...findings] };
}
