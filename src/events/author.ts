/** Who makes a change, through which door, and why; stands in versions and audit rows. */
export interface Author {
  readonly kind: 'user' | 'service' | 'step' | 'system';
  readonly subject: string;
  readonly name: string;
  /** `http`, `cli`, `disk`, `seed`: the way by which the change came. */
  readonly door: string;
  readonly requestId: string | null;
  /** The author's own words. */
  readonly message: string | null;
}

/** The part of an author that is kept with a version. */
export interface Actor {
  readonly kind: Author['kind'];
  readonly subject: string;
  readonly name: string;
}

/** Something that Skillwright does by itself: reading an edit from disk, seeding. */
export function systemAuthor(door: string, name: string): Author {
  return { kind: 'system', subject: door, name, door, requestId: null, message: null };
}

export function actorOf({ kind, subject, name }: Author): Actor {
  return { kind, subject, name };
}
