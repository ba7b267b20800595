import { type SkillContent } from '../discovery/skill-entry.js';

const MAX_WEIGHT = 16_777_216;
// What a content costs beside its text.
const BASE_WEIGHT = 500;

/** Contents by key; the least recently used ones are dropped beyond about 16 million characters. */
export class ContentCache<Key> {
  private readonly contents = new Map<Key, SkillContent>();
  private weight = 0;

  constructor(private readonly maxWeight = MAX_WEIGHT) {}

  get(key: Key): SkillContent | undefined {
    const content = this.contents.get(key);
    if (content === undefined) return undefined;
    this.contents.delete(key);
    this.contents.set(key, content);
    return content;
  }

  set(key: Key, content: SkillContent): void {
    this.drop(key);
    this.contents.set(key, content);
    this.weight += weigh(content);
    for (const oldest of this.contents.keys()) {
      if (this.weight <= this.maxWeight || oldest === key) break;
      this.drop(oldest);
    }
  }

  private drop(key: Key): void {
    const content = this.contents.get(key);
    if (content === undefined) return;
    this.contents.delete(key);
    this.weight -= weigh(content);
  }
}

function weigh(content: SkillContent): number {
  return BASE_WEIGHT + content.body.length;
}
