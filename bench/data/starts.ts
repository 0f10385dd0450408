import * as messages from '../messages.ts';
import { readCpu } from '../process-cost.ts';
import { environment } from '../run.ts';
import { ServerProcess } from '../server-process.ts';
import { type DataBench, dataOf, startBaton, workspaceOf } from './bench.ts';
import type { Format } from './grow.ts';
import { type Memory, memoryOf, pidsOf } from './memory.ts';
import { Peer, type PeerName } from './peer.ts';
import { QUESTIONS, type QuestionName } from './questions.ts';
import type { COLD_NAMES, LIST_NAMES, Moment, WARM_NAMES } from './rows.ts';

interface Rows {
  readonly rows: readonly (readonly unknown[])[];
}

/** From nothing but files to the first answer. `state` must be another one every time. */
export async function coldStart(
  bench: DataBench,
  format: Format,
  name: (typeof COLD_NAMES)[number],
  state: string,
  sales: number,
): Promise<void> {
  const { figures, home } = bench;
  const begun = performance.now();
  if (name === 'baton') {
    await using client = startBaton(bench, format, state);
    const { rows } = await client.call<Rows>('data_query', QUESTIONS.count.args);
    figures.add(`${format} cold first`, name, performance.now() - begun);
    assertCount(rows, sales);
    const pids = pidsOf(bench.baton);
    const engine = pids && readCpu(pids.engine);
    figures.add(`${format} cold cpu`, name, engine && (client.cpu ?? 0) + engine);
    addMemory(bench, format, 'loaded');
    return;
  }
  await using peer = new Peer(name, dataOf(home, format), format, home);
  const { rows, pid } = await peer.ask('count');
  figures.add(`${format} cold first`, name, performance.now() - begun);
  figures.add(`${format} cold cpu`, name, peer.cpu);
  assertCount(rows[0] ?? [], sales);
  addPeerMemory(bench, format, 'loaded', name, memoryOf(pid));
}

/** To the first answer of a process that finds everything in its cache, or reads the file. */
export async function warmStart(
  bench: DataBench,
  format: Format,
  name: (typeof WARM_NAMES)[number],
  question: QuestionName & ('count' | 'group'),
  state: string,
): Promise<void> {
  const { figures, home } = bench;
  const begun = performance.now();
  if (name === 'baton') {
    await using client = startBaton(bench, format, state);
    await client.call('data_query', QUESTIONS[question].args);
    figures.add(`${format} warm ${question}`, name, performance.now() - begun);
    return;
  }
  await using peer = new Peer(name, dataOf(home, format), format, home);
  await peer.ask(question);
  figures.add(`${format} warm ${question}`, name, performance.now() - begun);
}

/** Nobody asks for data here. */
export async function toolsList(
  { figures, baton, home }: DataBench,
  name: (typeof LIST_NAMES)[number],
): Promise<void> {
  const workspace = workspaceOf(home, name === 'baton' ? 'everything' : name);
  await using server = new ServerProcess([baton, 'stdio'], workspace, environment(home));
  await server.send(messages.HANDSHAKE);
  await server.received(2);
  figures.add('list wall', name, performance.now() - server.startedAt);
  figures.add('list cpu', name, server.cpu);
  messages.checkAnswers(server.takeLines(), 2, messages.isHandshake);
}

export function addMemory({ figures, baton }: DataBench, format: Format, moment: Moment): void {
  const pids = pidsOf(baton);
  const server = pids && memoryOf(pids.server);
  const engine = pids && memoryOf(pids.engine);
  if (!server || !engine) return;
  for (const which of ['now', 'peak'] as const) {
    const row = (process: 'all' | 'server' | 'engine') =>
      `${format} memory ${moment} ${process} ${which}` as const;
    figures.add(row('server'), 'baton', server[which]);
    figures.add(row('engine'), 'baton', engine[which]);
    figures.add(row('all'), 'baton', server[which] + engine[which]);
  }
}

export function addPeerMemory(
  { figures }: DataBench,
  format: Format,
  moment: Moment,
  name: PeerName,
  memory: Memory | undefined,
): void {
  figures.add(`${format} memory ${moment} all now`, name, memory?.now);
  figures.add(`${format} memory ${moment} all peak`, name, memory?.peak);
}

function assertCount(rows: Rows['rows'], sales: number): void {
  const count = Number(rows[0]?.[0]);
  if (count !== sales) throw new Error(`${count} records were counted instead of ${sales}`);
}
