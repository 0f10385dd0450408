import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { until } from '../plans/until.ts';
import { program } from '../programs.ts';
import { cites } from '../requirements.ts';
import { childrenOf, type DataServer, dataServer, dataWorkspace, peakOf } from './data-server.ts';

const MIB = 1024 * 1024;
/** The limit of the engine, and what it can take until this is noticed on a busy machine. */
const MAX_OF_ENGINE = (1536 + 400) * MIB;
const GONE_WITHIN_MS = 2000;
const PET = { 'pets.csv': 'animal\nwalrus\n' };

/** Fills memory at gigabytes per second; its number is computed, so that nobody can refuse it. */
const FILLS_MEMORY =
  "SELECT list_aggregate(range(n), 'sum') FROM (SELECT 1000000000 + length(animal) AS n FROM pets)";
/** Takes minutes without taking memory, and cannot be interrupted. */
const TAKES_LONG = "SELECT levenshtein(repeat('a', 400000), repeat('b', 400000)) FROM pets";

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** How long a process has computed, in hundredths of a second. */
function computed(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

/** The engine of a server that has answered, at work on a statement. */
async function atWork(server: DataServer, sql: string): Promise<number> {
  expect(await server.values('SELECT animal FROM pets')).toEqual(['walrus']);
  const [engine = 0] = server.engines();
  const before = computed(engine);
  server.program.send({
    id: 'work',
    method: 'tools/call',
    params: { name: 'data_query', arguments: { sql } },
  });
  await until('work of the engine', () => computed(engine) > before + 10);
  return engine;
}

async function expectGone(engine: number): Promise<void> {
  try {
    await expect.poll(() => isAlive(engine), { timeout: GONE_WITHIN_MS }).toBe(false);
  } finally {
    if (isAlive(engine)) process.kill(engine, 'SIGKILL');
  }
}

test(`${cites('T48', 'T16')} a query that would take all memory is ended, and the next one is answered`, async () => {
  await using workspace = dataWorkspace(PET);
  const server = dataServer(workspace);
  const engine = await atWork(server, FILLS_MEMORY);
  const most = await peakOf(server, server.program.reply('work'));
  expect(most).toBeGreaterThan(512 * MIB);
  expect(most).toBeLessThan(MAX_OF_ENGINE);
  const { result } = await server.program.reply('work');
  expect(result).toMatchObject({
    isError: true,
    structuredContent: { code: 'data_query_too_large', next: expect.stringMatching(/\w/) },
  });
  expect(await server.values('SELECT animal FROM pets')).toEqual(['walrus']);
  expect(server.engines()).not.toContain(engine);
});

test.each([
  ['SIGKILL', 'fills memory', FILLS_MEMORY],
  ['SIGKILL', 'takes long', TAKES_LONG],
  ['SIGTERM', 'takes long', TAKES_LONG],
  ['EOF', 'takes long', TAKES_LONG],
] as const)(
  `${cites('T48', 'T33')} with a server that ends by %s ends its engine, while a query %s`,
  async (end, _, sql) => {
    await using workspace = dataWorkspace(PET);
    const server = dataServer(workspace);
    const engine = await atWork(server, sql);
    if (end === 'EOF') server.program.child.stdin.end();
    else server.program.child.kill(end);
    await server.program.exited;
    await expectGone(engine);
  },
);

test(`${cites('T48', 'CLI-DATA')} with a command that a person stops ends its engine`, async () => {
  await using workspace = dataWorkspace(PET);
  const { path: cwd, env } = workspace;
  const args = [program, 'data', 'query', TAKES_LONG];
  const command = spawn(process.execPath, args, { cwd, env, stdio: 'ignore' });
  const pid = command.pid ?? 0;
  const engine = await until('work of the engine', () => {
    const [child] = childrenOf(pid);
    return child !== undefined && computed(child) > 100 && child;
  });
  // Of a terminal, all of its processes would get it; here only the command does.
  command.kill('SIGINT');
  await expectGone(engine);
  expect(command.signalCode ?? command.exitCode).not.toBe(0);
});
