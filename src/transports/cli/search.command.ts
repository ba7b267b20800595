import { type z } from 'zod';
import { type searchSkills } from '../../operations/search.operations.js';
import { type CliSession, withBackend } from './cli-session.service.js';
import { counted } from './finding-lines.js';
import { openSkills } from './skills.commands.js';
import { inline } from './terminal-text.js';
import { searchLines } from './search-view.js';

export interface SearchFlags {
  readonly limit?: string;
  readonly explain?: true;
}

/** Skills by words, best first. Nothing found is an answer: exit 0. */
export async function searchCommand(
  session: CliSession,
  words: string,
  { limit, explain }: SearchFlags,
): Promise<number> {
  const { searchSkills } = await import('../../operations/search.operations.js');
  const { backend } = await openSkills(session, { skills: true });
  return withBackend(backend, async () => {
    const answer = await backend.ask(searchSkills, question(words, limit, explain === true));
    session.answer(answer, () => searchLines(answer.hits, session.terminal.width, session.paint));
    if (!session.json && answer.headings_pending > 0) {
      session.note(`headings of ${counted(answer.headings_pending, 'skill')} are not read yet`);
    }
    if (!session.json && answer.vectors.state === 'failed') {
      session.note(`words alone were compared: ${inline(answer.vectors.because)}`);
    }
    return 0;
  });
}

function question(
  words: string,
  limit: string | undefined,
  explain: boolean,
): z.input<(typeof searchSkills)['input']> {
  return { q: words, explain, ...(limit !== undefined && { limit: Number(limit) }) };
}
