import { type SkillContent, type SkillEntry } from '../discovery/skill-entry.js';

const MAX_WEIGHT = 16_777_216;
// What an entry costs beside its text.
const BASE_WEIGHT = 500;

/** Contents by entry; the least recently used ones are dropped beyond about 16 million characters. */
export class ContentCache {
  private readonly contents = new Map<SkillEntry, SkillContent>();
  private weight = 0;

  constructor(private readonly maxWeight = MAX_WEIGHT) {}

  get(entry: SkillEntry): SkillContent | undefined {
    const content = this.contents.get(entry);
    if (content === undefined) return undefined;
    this.contents.delete(entry);
    this.contents.set(entry, content);
    return content;
  }

  set(entry: SkillEntry, content: SkillContent): void {
    this.drop(entry);
    this.contents.set(entry, content);
    this.weight += weigh(content);
    for (const oldest of this.contents.keys()) {
      if (this.weight <= this.maxWeight || oldest === entry) break;
      this.drop(oldest);
    }
  }

  private drop(entry: SkillEntry): void {
    const content = this.contents.get(entry);
    if (content === undefined) return;
    this.contents.delete(entry);
    this.weight -= weigh(content);
  }
}

function weigh(content: SkillContent): number {
  return BASE_WEIGHT + content.body.length;
}
