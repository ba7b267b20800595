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
  private readonly deletedByPlace = new Map<string, StoredSkill>();
  private readonly labels = new Map<string, ReadonlyMap<string, number>>();
  private readonly revoked = new Map<string, ReadonlyMap<string, string>>();
  private formerSlugs: ReadonlyMap<string, string> = new Map();
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
    return this.deletedByPlace.get(placeKey(layer, slug));
  }

  live(): Iterable<StoredSkill> {
    return this.byPlace.values();
  }

  deleted(): Iterable<StoredSkill> {
    return this.deletedByPlace.values();
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
    this.take(changes, isFirst);
    this.known = changes.revision;
    if (isNews) for (const listener of [...this.followers]) listener();
    if (!isFirst && changes.skills.length === 0) return;
    for (const listener of [...this.listeners]) listener();
  }

  private take(changes: SkillChanges, isFirst: boolean): void {
    for (const skill of changes.skills) this.forgetPlace(skill.id);
    for (const skill of changes.skills) this.place(skill);
    for (const { id } of changes.skills) {
      set(this.labels, id, changes.labels.get(id));
      set(this.revoked, id, changes.revoked.get(id));
    }
    this.formerSlugs = isFirst ? changes.aliases : new Map([...this.formerSlugs, ...changes.aliases]);
  }

  private forgetPlace(id: string): void {
    const before = this.byId.get(id);
    if (before === undefined) return;
    const key = placeKey(before.layer, before.slug);
    if (this.byPlace.get(key)?.id === id) this.byPlace.delete(key);
    if (this.deletedByPlace.get(key)?.id === id) this.deletedByPlace.delete(key);
  }

  private place(skill: StoredSkill): void {
    this.byId.set(skill.id, skill);
    const key = placeKey(skill.layer, skill.slug);
    if (!skill.deleted) {
      this.byPlace.set(key, skill);
      this.deletedByPlace.delete(key);
      return;
    }
    const other = this.deletedByPlace.get(key);
    if (!this.byPlace.has(key) && (other === undefined || other.updatedAt <= skill.updatedAt)) {
      this.deletedByPlace.set(key, skill);
    }
  }
}

function set<T>(map: Map<string, T>, key: string, value: T | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}
