import { inTurns } from '../in-turns.ts';
import type { ToolClient } from '../tool-client.ts';
import { type DataBench, dataOf, startBaton } from './bench.ts';
import type { Format } from './grow.ts';
import { memoryOf } from './memory.ts';
import { Peer } from './peer.ts';
import { ASKED, QUERIES, QUESTIONS, type QuestionName } from './questions.ts';
import { ASKED_NAMES } from './rows.ts';
import { addMemory, addPeerMemory } from './starts.ts';

interface Answer {
  readonly ms: number;
  /** Of the rows that can be compared; of a search, only how many were found. */
  readonly said: string;
}

interface Told {
  readonly rows?: readonly (readonly unknown[])[];
  readonly total?: number;
}

export interface AskingRounds {
  readonly warmUp: number;
  readonly questions: number;
  /** It takes seconds to read the file for every question, and long to sort in JavaScript. */
  readonly slow: number;
}

const IN_TURNS = ['table', 'baton'] as const;

/** The same questions to everybody, one at a time; all have to give the same answers. */
export async function questions(
  bench: DataBench,
  format: Format,
  state: string,
  rounds: AskingRounds,
): Promise<void> {
  const { figures, home } = bench;
  const folder = dataOf(home, format);
  const said = new Map<QuestionName, string>();
  const check = (question: QuestionName, answer: Answer) => {
    const first = said.get(question) ?? answer.said;
    said.set(question, first);
    if (first !== answer.said) {
      throw new Error(
        `${question}: ${answer.said.slice(0, 200)} instead of ${first.slice(0, 200)}`,
      );
    }
  };
  const askSlowly = async (name: 'file' | 'js', peer: Peer, question: (typeof ASKED)[number]) => {
    for (let round = 0; round < rounds.slow; round += 1) {
      const answer = await askPeer(peer, question);
      figures.add(`${format} ${question}`, name, answer.ms);
      check(question, answer);
    }
  };
  for (const question of ASKED) {
    // All of them could take longer than a process may run.
    await using file = new Peer('file', folder, format, home);
    await askSlowly('file', file, question);
  }
  {
    await using js = new Peer('js', folder, format, home);
    for (const question of ASKED) await askSlowly('js', js, question);
    await addAsked(bench, format, 'js', js);
  }
  await using table = new Peer('table', folder, format, home);
  await using client = startBaton(bench, format, state);
  for (const question of ASKED) {
    let asked = 0;
    await inTurns(rounds.warmUp + rounds.questions, IN_TURNS, async (name) => {
      const isCounted = Math.floor(asked / IN_TURNS.length) >= rounds.warmUp;
      asked += 1;
      const answer =
        name === 'baton' ? await askBaton(client, question) : await askPeer(table, question);
      check(question, answer);
      if (isCounted) figures.add(`${format} ${question}`, name, answer.ms);
    });
  }
  await emptyCalls(bench, client, rounds);
  addMemory(bench, format, 'asked');
  await addAsked(bench, format, 'table', table);
  addSums(bench, format);
}

async function addAsked(
  bench: DataBench,
  format: Format,
  name: 'table' | 'js',
  peer: Peer,
): Promise<void> {
  const { pid } = await peer.ask('count');
  addPeerMemory(bench, format, 'asked', name, memoryOf(pid));
}

/** What a call costs before there is anything to compute. */
async function emptyCalls(
  { figures }: DataBench,
  client: ToolClient,
  { warmUp, questions: count }: AskingRounds,
): Promise<void> {
  for (let round = 0; round < warmUp + count; round += 1) {
    const { ms } = await client.timed('data_query', { sql: 'SELECT 1' });
    if (round >= warmUp) figures.add('call', 'baton', ms);
  }
}

function addSums({ figures }: DataBench, format: Format): void {
  for (const name of ASKED_NAMES) {
    const medians = QUERIES.map((query) => figures.get(`${format} ${query}`, name));
    const sum = medians.reduce<number>((all, one) => all + Number(one), 0);
    figures.add(`${format} sum`, name, sum);
  }
}

async function askPeer(peer: Peer, question: QuestionName): Promise<Answer> {
  const { ms, rows } = await peer.ask(question);
  return { ms, said: comparable(rows[0] ?? []) };
}

async function askBaton(client: ToolClient, question: QuestionName): Promise<Answer> {
  const { tool, args } = QUESTIONS[question];
  const { ms, answer } = await client.timed<Told>(tool, args);
  return { ms, said: comparable(answer.rows ?? [[answer.total]]) };
}

/** Sums of decimals are exact, sums of doubles nearly. */
function comparable(rows: readonly (readonly unknown[])[]): string {
  const cell = (value: unknown) =>
    typeof value === 'number' || /^-?[1-9]\d*(?:\.\d+)?$/.test(String(value))
      ? Number(value).toFixed(2)
      : String(value);
  return rows.map((row) => row.map(cell).join(' ')).join('\n');
}
