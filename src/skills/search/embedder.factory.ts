import { dirname, join, resolve } from 'node:path';
import { type SkillwrightOptions } from '../../config/options.js';
import { SkillwrightError } from '../../kernel/errors.js';
import { type WorkspaceFiles } from '../../workspace/workspace-files.adapter.js';
import { builtinEmbedder } from './builtin-embedder.js';
import { type Embedder } from './embedder.js';
import { EmbeddingsEndpoint } from './embeddings-endpoint.adapter.js';
import { decodeWordVectors } from './word-vectors.js';

const MOST_BYTES = 64 * 1024 * 1024;

/** What turns texts into vectors by the options; null for nothing. */
export function createEmbedder(
  { search }: Pick<SkillwrightOptions, 'search'>,
  files: WorkspaceFiles,
): Embedder | null {
  if (search.vectors === 'off') return null;
  if (search.vectors === 'builtin') return builtin(search.wordVectors ?? packageFile(), files);
  return new EmbeddingsEndpoint({
    url: search.endpointUrl ?? '',
    model: search.endpointModel,
    apiKey: search.endpointKey,
    dimension: search.endpointDimension,
    leastCosine: search.endpointLeastCosine,
    batch: search.endpointBatch,
    timeoutMs: search.endpointTimeoutMs,
  });
}

function builtin(path: string | null, files: WorkspaceFiles): Embedder | null {
  if (path === null) return null;
  return builtinEmbedder(() => {
    const file = resolve(path);
    const within = [dirname(file)];
    const read = files.read(file, { within, maxBytes: MOST_BYTES, links: 'refuse', hardLinks: 'accept' });
    if (read.kind === 'ok') {
      try {
        return decodeWordVectors(read.bytes);
      } catch (error) {
        throw unusable(error instanceof Error ? error.message : 'they are damaged');
      }
    }
    throw unusable(read.because);
  });
}

function unusable(because: string): SkillwrightError {
  return new SkillwrightError('embeddings_failed', { detail: `word vectors cannot be read: ${because}` });
}

/** The package's own; null where the sources run as they are, as in tests. */
function packageFile(): string | null {
  return typeof __dirname === 'undefined' ? null : join(__dirname, '../../../word-vectors/vectors.bin');
}
