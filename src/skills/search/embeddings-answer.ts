import { z } from 'zod';
import { unit } from './word-vectors.js';

const answerSchema = z.object({
  model: z.string().optional(),
  data: z.array(z.object({ index: z.number().int().min(0), embedding: z.array(z.number()) })),
});

export type EmbeddingsAnswer =
  | { readonly kind: 'ok'; readonly model: string; readonly vectors: readonly Float32Array[] }
  | { readonly kind: 'wrong'; readonly because: string };

export interface EmbeddingsQuestion {
  readonly model: string;
  readonly count: number;
  /** Null: whatever length they have, as long as all have the same. */
  readonly dimension: number | null;
}

/** Judges an answer of an OpenAI-compatible endpoint: as many vectors as texts, each of the expected length. */
export function readEmbeddings(
  body: unknown,
  { model, count, dimension }: EmbeddingsQuestion,
): EmbeddingsAnswer {
  const parsed = answerSchema.safeParse(body);
  if (!parsed.success) return wrong('the answer is not a list of embeddings');
  const { data, model: answered } = parsed.data;
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count });
  const length = dimension ?? data[0]?.embedding.length ?? 0;
  for (const { index, embedding } of data) {
    if (embedding.length !== length) {
      return wrong(`a vector has ${embedding.length} numbers instead of ${length}`);
    }
    const vector = unit(Float32Array.from(embedding));
    if (vector === null) return wrong('a vector has no direction');
    if (index < count) vectors[index] = vector;
  }
  const complete = vectors.filter((vector) => vector !== undefined);
  if (data.length !== count || complete.length !== count) {
    return wrong(`${data.length} vectors came for ${count} texts`);
  }
  return { kind: 'ok', model: answered ?? model, vectors: complete };
}

function wrong(because: string): EmbeddingsAnswer {
  return { kind: 'wrong', because };
}
