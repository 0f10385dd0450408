import { percentile } from './figures.ts';
import { HttpClient } from './http-client.ts';
import * as http from './http-messages.ts';
import { readResponse } from './http-response.ts';
import { checkAnswers, isStatus } from './messages.ts';
import type { HttpName } from './programs.ts';
import { CLIENTS } from './rows.ts';
import type { Bench } from './scenarios.ts';
import type { ServerProcess } from './server-process.ts';

const CALLS_EACH = { 1: 2_000, 16: 300 };
const WARM_UP_CALLS_EACH = 200;
/** What the first sessions cost is code and schemas, which the others share. */
const FIRST_SESSIONS = 100;
const SESSIONS = 200;

interface Caller {
  readonly client: HttpClient;
  readonly request: (id: number) => Buffer;
}

export async function calls(bench: Bench, name: HttpName, era: http.Era): Promise<void> {
  await using server = bench.startHttp(name);
  const port = await readPort(server);
  const callers = await Promise.all(
    Array.from({ length: Math.max(...CLIENTS) }, () => openCaller(port, era)),
  );
  await load(server, callers, WARM_UP_CALLS_EACH);
  for (const clients of CLIENTS) {
    const callsEach = CALLS_EACH[clients];
    const used = callers.slice(0, clients);
    const { wall, cpu, microseconds } = await load(server, used, callsEach);
    const total = clients * callsEach;
    const row = `http-${era}-${clients}` as const;
    bench.figures.add(`${row}-rate`, name, total / (wall / 1e3));
    bench.figures.add(`${row}-cpu`, name, cpu && (cpu * 1e3) / total);
    bench.figures.add(`${row}-p50`, name, percentile(microseconds, 0.5));
    bench.figures.add(`${row}-p99`, name, percentile(microseconds, 0.99));
  }
  for (const { client } of callers) client[Symbol.dispose]();
}

export async function idleSessions(bench: Bench, name: HttpName): Promise<void> {
  await using server = bench.startHttp(name, 'with heap probe');
  using client = new HttpClient(await readPort(server));
  for (let count = 0; count < FIRST_SESSIONS; count += 1) await openSession(client);
  const before = { heap: await readHeap(server), memory: server.memory ?? 0 };
  for (let count = 0; count < SESSIONS; count += 1) await openSession(client);
  const heap = await readHeap(server);
  const memory = server.memory;
  bench.figures.add('session-heap', name, (heap - before.heap) / 1e3 / SESSIONS);
  bench.figures.add('session-memory', name, memory && ((memory - before.memory) * 1e3) / SESSIONS);
}

/** Every caller keeps one call on its way, until all of its calls are answered. */
async function load(server: ServerProcess, callers: readonly Caller[], callsEach: number) {
  const jobs = callers.map(({ client, request }) => ({
    client,
    requests: Array.from({ length: callsEach }, (_, id) => request(id)),
    responses: [] as Buffer[],
  }));
  const microseconds: number[] = [];
  const cpuBefore = server.cpu ?? 0;
  const start = performance.now();
  await Promise.all(
    jobs.map(async ({ client, requests, responses }) => {
      for (const request of requests) {
        const before = performance.now();
        responses.push(await client.exchange(request));
        microseconds.push((performance.now() - before) * 1e3);
      }
    }),
  );
  const wall = performance.now() - start;
  const cpu = server.cpu;
  for (const { responses } of jobs) {
    const bodies = responses.map((bytes) => readResponse(bytes).body);
    checkAnswers(bodies, callsEach, isStatus);
  }
  return { wall, cpu: cpu && cpu - cpuBefore, microseconds };
}

async function openCaller(port: number, era: http.Era): Promise<Caller> {
  const client = new HttpClient(port);
  if (era === 'new') return { client, request: http.newCall };
  const session = await openSession(client);
  return { client, request: (id) => http.oldCall(id, session) };
}

async function openSession(client: HttpClient): Promise<string> {
  const { head } = readResponse(await client.exchange(http.HTTP_INITIALIZE));
  const [, session] = /^mcp-session-id: *(\S+)/im.exec(head) ?? [];
  if (session === undefined) throw new Error(`no session in ${head}`);
  readResponse(await client.exchange(http.httpInitialized(session)));
  return session;
}

async function readPort(server: ServerProcess): Promise<number> {
  return Number(await readOutput(server, /http:\/\/127\.0\.0\.1:(\d+)/));
}

/** Bytes in use after a collection. */
async function readHeap(server: ServerProcess): Promise<number> {
  await server.send(Buffer.from('\n'));
  return Number(await readOutput(server, /^heap (\d+)$/m));
}

async function readOutput(server: ServerProcess, pattern: RegExp): Promise<string> {
  for (;;) {
    await server.received(1);
    const [, found] = pattern.exec(server.takeLines().join('\n')) ?? [];
    if (found !== undefined) return found;
  }
}
