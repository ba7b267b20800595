import { type ChangeStore } from '../../events/change.store.js';
import { SharedRun } from '../../kernel/shared-run.js';
import { type StoredSkill } from '../discovery/skill-entry.js';
import { type SkillChanges, type SkillStore } from './skill.store.js';

type Listener = () => void;

/** `layer\0slug`, the key of everything that is told apart by place. */
export function placeKey(layer: string, slug: string): string {
  return `${layer}\0${slug}`;
}

const NO_LABELS: ReadonlyMap<string, number> = new Map();
const NONE_REVOKED: ReadonlyMap<string, string> = new Map();

/**
 * Every stored skill in memory. It follows the database by revision: a change, here or in another process, costs the
 * rows that it touched.
 */
export class StoredSkills {
  private readonly byId = new Map<string, StoredSkill>();
  private readonly byPlace = new Map<string, StoredSkill>();
  /** Deleted last first; also where another skill lives now. */
  private readonly deletedByPlace = new Map<string, readonly StoredSkill[]>();
  private readonly labels = new Map<string, ReadonlyMap<string, number>>();
  private readonly revoked = new Map<string, ReadonlyMap<string, string>>();
  private readonly formerSlugs = new Map<string, string>();
  private readonly listeners = new Set<Listener>();
  private readonly followers = new Set<Listener>();
  private readonly reads = new SharedRun(() => this.read());
  private known: number | null = null;

  constructor(
    private readonly store: SkillStore,
    changes: ChangeStore,
  ) {
    changes.onCommit((revision) => {
      if (this.known !== null && revision > this.known) void this.refresh().catch(() => undefined);
    });
  }

  /** Null until the rows were read once. */
  revision(): number | null {
    return this.known;
  }

  /** The live skill of a place. */
  at(layer: string, slug: string): StoredSkill | undefined {
    return this.byPlace.get(placeKey(layer, slug));
  }

  /** The skill that was deleted last from a place where none lives now. */
  deletedAt(layer: string, slug: string): StoredSkill | undefined {
    const key = placeKey(layer, slug);
    return this.byPlace.has(key) ? undefined : this.deletedByPlace.get(key)?.[0];
  }

  live(): Iterable<StoredSkill> {
    return this.byPlace.values();
  }

  /** For each place where none lives the one that was deleted last. */
  *deleted(): Iterable<StoredSkill> {
    for (const [key, [latest]] of this.deletedByPlace) {
      if (latest !== undefined && !this.byPlace.has(key)) yield latest;
    }
  }

  get(id: string): StoredSkill | undefined {
    return this.byId.get(id);
  }

  /** Label -> version. */
  labelsOf(id: string): ReadonlyMap<string, number> {
    return this.labels.get(id) ?? NO_LABELS;
  }

  /** Digest -> why it was revoked. */
  revokedOf(id: string): ReadonlyMap<string, string> {
    return this.revoked.get(id) ?? NONE_REVOKED;
  }

  /** The id of the skill that a place's former slug leads to. */
  aliasAt(layer: string, slug: string): string | undefined {
    return this.formerSlugs.get(placeKey(layer, slug));
  }

  /** Every former slug with the id that it leads to. */
  *aliases(): Iterable<readonly [slug: string, id: string]> {
    for (const [key, id] of this.formerSlugs) yield [key.slice(key.indexOf('\0') + 1), id];
  }

  /**
   * Reads what changed; whatever was committed before the call is seen after it.
   *
   * @throws SkillwrightError `db_unavailable`
   */
  refresh(): Promise<void> {
    return this.reads.next();
  }

  /** Reads what changed when somebody else moved the revision on. */
  async poll(): Promise<void> {
    if (this.known !== null && (await this.store.revision()) > this.known) await this.refresh();
  }

  /** @returns a function that ends the subscription */
  onChange(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  /** Calls whenever anything stored was changed, also what is no skill. @returns a function that ends it */
  onRevision(listener: Listener): () => void {
    this.followers.add(listener);
    return () => {
      this.followers.delete(listener);
    };
  }

  private async read(): Promise<void> {
    const changes = await this.store.changedSince(this.known ?? 0);
    const isFirst = this.known === null;
    const isNews = changes.revision !== this.known;
    this.take(changes);
    this.known = changes.revision;
    if (isNews) for (const listener of [...this.followers]) listener();
    if (!isFirst && changes.skills.length === 0) return;
    for (const listener of [...this.listeners]) listener();
  }

  private take({ skills, labels, revoked, aliases }: SkillChanges): void {
    for (const { id } of skills) this.forgetPlace(id);
    for (const skill of skills) this.place(skill);
    const changed = new Set(skills.map(({ id }) => id));
    for (const id of changed) {
      set(this.labels, id, labels.get(id));
      set(this.revoked, id, revoked.get(id));
    }
    for (const [place, id] of this.formerSlugs) if (changed.has(id)) this.formerSlugs.delete(place);
    for (const [place, id] of aliases) this.formerSlugs.set(place, id);
  }

  private forgetPlace(id: string): void {
    const before = this.byId.get(id);
    if (before === undefined) return;
    const key = placeKey(before.layer, before.slug);
    if (this.byPlace.get(key)?.id === id) this.byPlace.delete(key);
    const deleted = this.deletedByPlace.get(key)?.filter((skill) => skill.id !== id) ?? [];
    set(this.deletedByPlace, key, deleted.length === 0 ? undefined : deleted);
  }

  private place(skill: StoredSkill): void {
    this.byId.set(skill.id, skill);
    const key = placeKey(skill.layer, skill.slug);
    if (!skill.deleted) this.byPlace.set(key, skill);
    else this.deletedByPlace.set(key, [...(this.deletedByPlace.get(key) ?? []), skill].sort(byDeletion));
  }
}

function byDeletion(a: StoredSkill, b: StoredSkill): number {
  if (a.updatedAt !== b.updatedAt) return a.updatedAt < b.updatedAt ? 1 : -1;
  return b.revision - a.revision;
}

function set<T>(map: Map<string, T>, key: string, value: T | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}
