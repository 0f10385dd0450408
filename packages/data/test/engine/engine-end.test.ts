import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { cites } from '@baton/e2e/requirements';
import { temporaryFolder } from '@baton/testkit';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { ChildEngine } from '../engine-under-test.ts';
import { buildEngineProgram, createTestEngine } from '../test-engine.ts';

const UNWATCHED = '0';
const MIB = 1024 * 1024;
const LIMIT_MIB = 300;
/** What can be taken between two looks, on a machine that is busy with other tests. */
const OVERSHOOT_MIB = 500;

const place = temporaryFolder();
const busy = buildEngineProgram(
  path.join(place.path, 'busy'),
  new URL('busy-program.ts', import.meta.url),
);
const parent = buildEngineProgram(
  path.join(place.path, 'parent'),
  new URL('parent-program.ts', import.meta.url),
);
afterAll(() => place[Symbol.dispose]());

/** The process that has written its id into a file. */
function pidIn(file: string): number {
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
}

/** The memory of a process, 0 when it has ended. */
function resident(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** The most memory that a process is seen to have until it ends. Far too much is not waited for. */
async function peakUntilEnd(child: ChildProcess): Promise<number> {
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    peak = Math.max(peak, resident(child.pid ?? 0));
    if (peak > 2 * (LIMIT_MIB + OVERSHOOT_MIB) * MIB) child.kill('SIGKILL');
    await pause(5);
  }
  return peak;
}

describe.runIf(process.platform === 'linux')(`${cites('T48')} the end of an engine`, () => {
  it('comes at its limit, by itself, while a function fills its memory', async () => {
    await using made = createTestEngine();
    const settings = { ...made.settings, processMegabytes: LIMIT_MIB };
    const child = fork(made.program.file, [JSON.stringify(settings)], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const words = text(child.stderr ?? process.stdin);
    await once(child, 'message');
    const sql = "SELECT list_aggregate(range(1000000000), 'sum')";
    child.send({ type: 'run', id: 1, sql, values: [], rows: 1 });
    expect(await peakUntilEnd(child)).toBeLessThan((LIMIT_MIB + OVERSHOOT_MIB) * MIB);
    expect(child.signalCode).toBe('SIGKILL');
    expect(await words).toBe('The engine took too much memory.');
  });

  it('comes at its limit while its main thread never comes back', async () => {
    const child = fork(busy.file, [`${LIMIT_MIB * MIB}`, 'greedy'], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    await once(child, 'message');
    child.send({});
    expect(await peakUntilEnd(child)).toBeLessThan((LIMIT_MIB + OVERSHOOT_MIB) * MIB);
    expect(child.signalCode).toBe('SIGKILL');
  });

  it('comes at its limit, by its parent, if it does not watch itself', async () => {
    const settings = { folder: place.path, memoryMegabytes: 1, threads: 1, packagesOf: [] };
    const program = { file: busy.file, args: [UNWATCHED, 'greedy', ''] };
    const engine = new ChildEngine(program, { ...settings, processMegabytes: LIMIT_MIB });
    const running = engine.run('SELECT 1', { seconds: 10 });
    await expect(running).rejects.toMatchObject({ failure: 'memory' });
  });

  it.each([
    ['is killed, while its main thread never comes back', 'SIGKILL', `${1024 * LIMIT_MIB * MIB}`],
    ['ends, though it does not watch itself', 'exit', UNWATCHED],
  ] as const)('comes when its parent %s', async (_, end, maxBytes) => {
    const file = path.join(place.path, end);
    const child = fork(parent.file, [place.path, busy.file, maxBytes, 'modest', file]);
    const pid = await vi.waitUntil(() => pidIn(file), { timeout: 20_000 });
    expect(resident(pid)).toBeGreaterThan(0);
    if (end === 'exit') child.send('end');
    else child.kill(end);
    try {
      await expect.poll(() => resident(pid), { timeout: 10_000 }).toBe(0);
    } finally {
      if (resident(pid) > 0) process.kill(pid, 'SIGKILL');
    }
  });
});
