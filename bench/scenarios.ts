import { setTimeout as delay } from 'node:timers/promises';
import { type Figures, percentile } from './figures.ts';
import * as messages from './messages.ts';
import type { HttpName, Name } from './programs.ts';
import type { RowId } from './rows.ts';
import { ServerGone, type ServerProcess } from './server-process.ts';

export interface Bench {
  readonly figures: Figures<RowId, Name>;
  readonly start: (name: Name) => ServerProcess;
  readonly startHttp: (name: HttpName, probe?: 'with heap probe') => ServerProcess;
  readonly progress: (text: string) => void;
}

const WARM_UP_CALLS = 200;
const SEQUENTIAL_CALLS = 3_000;
// Megabytes of a million bytes: 10 MiB would be more than either SDK's transport takes.
export const LARGE = [
  { bytes: 1e6, cpu: '1mb-cpu', wall: '1mb-wall' },
  { bytes: 10e6, cpu: '10mb-cpu', wall: '10mb-wall' },
  { bytes: 50e6, cpu: '50mb-cpu', wall: '50mb-wall' },
] as const;
const TOO_SLOW_TO_REPEAT_MS = 5_000;
// The SDKs' transports close the connection when a message is longer than their buffer.
const MAY_REFUSE: ReadonlySet<Name> = new Set(['sdk-1', 'sdk-2']);

export async function firstAnswer({ figures, start }: Bench, name: Name): Promise<void> {
  await using server = start(name);
  await server.send(messages.INITIALIZE);
  await server.received(1);
  figures.add('first-wall', name, performance.now() - server.startedAt);
  figures.add('first-cpu', name, server.cpu);
  messages.checkAnswers(server.takeLines(), 1, messages.isResult);
}

export async function toolsList({ figures, start }: Bench, name: Name): Promise<void> {
  await using server = start(name);
  await server.send(messages.HANDSHAKE);
  await server.received(2);
  figures.add('list-wall', name, performance.now() - server.startedAt);
  figures.add('list-cpu', name, server.cpu);
  messages.checkAnswers(server.takeLines(), 2, messages.isHandshake);
}

async function shakeHands(server: ServerProcess): Promise<void> {
  await server.send(messages.HANDSHAKE);
  await server.received(2);
  messages.checkAnswers(server.takeLines(), 2, messages.isHandshake);
}

export async function idleMemory({ figures, start }: Bench, name: Name): Promise<void> {
  await using server = start(name);
  await shakeHands(server);
  await delay(1_000);
  figures.add('memory', name, server.memory);
}

/** Half as many again before: not what the first calls cost, until V8 has compiled what they use. */
export async function pipelined(
  { figures, start }: Bench,
  name: Name,
  count: number,
): Promise<void> {
  await using server = start(name);
  await shakeHands(server);
  await exchange(server, messages.statusCalls(count / 2), count / 2);
  server.takeLines();
  const calls = messages.statusCalls(count);
  const { wall, cpu } = await exchange(server, calls, count);
  messages.checkAnswers(server.takeLines(), count, messages.isStatus);
  figures.add('pipelined', name, count / (wall / 1e3));
  figures.add('pipelined-cpu', name, cpu && (cpu * 1e3) / count);
}

export async function sequential({ figures, start }: Bench, name: Name): Promise<void> {
  await using server = start(name);
  await shakeHands(server);
  const call = messages.statusCalls(1);
  const microseconds: number[] = [];
  for (let count = 0; count < WARM_UP_CALLS + SEQUENTIAL_CALLS; count += 1) {
    const before = performance.now();
    await server.send(call);
    await server.received(1);
    if (count >= WARM_UP_CALLS) microseconds.push((performance.now() - before) * 1e3);
    messages.checkAnswers(server.takeLines(), 1, messages.isStatus);
  }
  figures.add('p50', name, percentile(microseconds, 0.5));
  figures.add('p99', name, percentile(microseconds, 0.99));
}

export async function large(
  { figures, start }: Bench,
  name: Name,
  row: (typeof LARGE)[number],
  message: Buffer,
): Promise<void> {
  const before = figures.get(row.wall, name);
  if (before === 'refused' || (before ?? 0) > TOO_SLOW_TO_REPEAT_MS) return;
  await using server = start(name);
  await shakeHands(server);
  try {
    const { wall, cpu } = await exchange(server, message, 1);
    figures.add(row.wall, name, wall);
    figures.add(row.cpu, name, cpu);
  } catch (error) {
    const isRefusal = MAY_REFUSE.has(name) && error instanceof ServerGone && !error.timedOut;
    if (!isRefusal) throw error;
    figures.refuse(row.wall, name);
    figures.refuse(row.cpu, name);
    return;
  }
  messages.checkAnswers(server.takeLines(), 1, messages.isAnything);
}

async function exchange(
  server: ServerProcess,
  bytes: Buffer,
  answers: number,
): Promise<{ readonly wall: number; readonly cpu: number | undefined }> {
  const cpuBefore = server.cpu ?? 0;
  const before = performance.now();
  await server.send(bytes);
  await server.received(answers);
  const wall = performance.now() - before;
  const cpu = server.cpu;
  return { wall, cpu: cpu && cpu - cpuBefore };
}
