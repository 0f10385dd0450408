import type { Engine } from '../engine/engine.ts';
import { isAccepted, type Weighed } from './accept.ts';
import { type KnownTable, type Pair, type Source, sourcesOf, targetsOf } from './candidates.ts';
import { choose } from './choose.ts';
import { askFor } from './evidence.ts';
import { hintedPairs, tellingPairs } from './pairs.ts';
import { sampledPairs } from './samples.ts';

/** Which fields lead to which, by names and by values. */
export async function findRelations(
  tables: readonly KnownTable[],
  isAllowed: (source: Source) => boolean,
  engine: Engine,
  signal?: AbortSignal,
): Promise<Weighed[]> {
  const sources = sourcesOf(tables).filter(isAllowed);
  const targets = targetsOf(tables);
  const pairs = [
    ...hintedPairs(tables, sources, targets),
    ...tellingPairs(sources, targets),
    ...(await sampledPairs(sources, targets, engine, signal)),
  ];
  const weighed = await weigh(pairs, engine, signal);
  return choose(weighed.map((those) => those.filter(isAccepted)));
}

/** By source, each target once: with its hint, if there is one. */
async function weigh(
  pairs: readonly Pair[],
  engine: Engine,
  signal: AbortSignal | undefined,
): Promise<Weighed[][]> {
  const bySource = new Map<Source, Pair[]>();
  for (const pair of pairs) {
    const those = bySource.get(pair.source) ?? [];
    bySource.set(pair.source, those);
    if (!those.some(({ target }) => target === pair.target)) those.push(pair);
  }
  const questions = [...bySource].map(([{ table, field }, those]) => ({
    table: table.facts,
    field,
    among: those.map(({ target }) => ({ table: target.table.facts, field: target.field })),
    pairs: those,
  }));
  const answers = await askFor(questions, engine, signal);
  return questions.map((question) => {
    const evidence = answers.get(question);
    return question.pairs.flatMap((pair, n) => {
      const found = evidence?.found[n];
      return evidence && found ? [{ pair, evidence, ...found }] : [];
    });
  });
}
