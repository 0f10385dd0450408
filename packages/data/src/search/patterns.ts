import { EngineError } from '../engine/engine.ts';
import type { Ask } from './ask.ts';
import { invalid, shownJson } from './filter-errors.ts';
import { bound, joined, sql } from './sql.ts';

/** Refuses patterns that the engine cannot read, before they stand in a larger statement. */
export async function checkPatterns(ask: Ask, patterns: readonly string[]): Promise<void> {
  if (patterns.length === 0) return;
  if (await areReadable(ask, patterns)) return;
  for (const pattern of patterns) {
    if (await areReadable(ask, [pattern])) continue;
    throw invalid(
      `The pattern ${shownJson(pattern)} cannot be read.`,
      'Patterns are RE2: no look-around and no back-references. For plain text, take $contains.',
    );
  }
}

async function areReadable(ask: Ask, patterns: readonly string[]): Promise<boolean> {
  const tried = patterns.map((pattern) => sql`regexp_matches('', ${bound(pattern)})`);
  try {
    await ask(sql`SELECT ${joined(tried, ', ')}`);
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.failure === 'statement') return false;
    throw error;
  }
}
