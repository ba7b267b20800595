/** How far the vectors are, for whoever wonders why a search found nothing. */
export type VectorState =
  | { readonly state: 'off' }
  | { readonly state: 'ready' }
  | { readonly state: 'pending'; readonly count: number }
  | { readonly state: 'failed'; readonly because: string };
