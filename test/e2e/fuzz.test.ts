import { isUtf8 } from 'node:buffer';
import { createRandom, startProgram } from '@baton/testkit';
import { expect, test } from 'vitest';
import { bytesOf } from './fuzz-messages.ts';
import { fixtureProgram } from './programs.ts';
import { cites } from './requirements.ts';

// A failing run prints its seed; FUZZ_SEED replays it, FUZZ_MESSAGES makes it shorter or longer.
const SEED = Number(process.env.FUZZ_SEED ?? 20260728);
const MESSAGES = Number(process.env.FUZZ_MESSAGES ?? 100_000);
const PER_PROCESS = 10_000;

/** The id of a line that must be answered under that id, if it is such a line. */
function mustAnswer(bytes: Buffer): string | number | undefined {
  try {
    const { jsonrpc, id, method, params } = JSON.parse(bytes.toString());
    const isId = typeof id === 'string' || Number.isSafeInteger(id);
    const hasParams = params === undefined || (typeof params === 'object' && params !== null);
    const isCall = jsonrpc === '2.0' && typeof method === 'string' && isId && hasParams;
    return isCall && isUtf8(bytes) ? id : undefined;
  } catch {
    return undefined;
  }
}

/** What one process was sent: every id that occurs, and those that must be answered. */
class Sent {
  readonly ids = new Set<unknown>();
  readonly owed = new Set<unknown>();

  add(bytes: Buffer): void {
    this.owed.add(mustAnswer(bytes));
    for (const part of bytes.toString().split('\n')) {
      try {
        this.ids.add(JSON.parse(part).id);
      } catch {}
    }
  }
}

/** Fuzzes one process. Returns whether its prototypes could be looked at. */
async function fuzzOne(seed: number, count: number): Promise<boolean> {
  const random = createRandom(seed);
  await using running = startProgram(fixtureProgram, { env: { BATON_LOG_LEVEL: 'error' } });
  const sent = new Sent();
  for (let index = 0; index < count; index++) {
    const bytes = bytesOf(random, index);
    sent.add(bytes);
    running.write(Buffer.concat([bytes, Buffer.from('\n')]));
    if (index % 500 === 0) await running.request(`own-${index}`, 'ping');
  }
  const where = `seed ${seed}, stderr:\n${running.stderr.slice(0, 2000)}`;
  // Refused for want of _meta where the fuzz happened to choose the new era.
  const { result } = await running.request('own-prototypes', 'lookAtPrototypes');
  expect(result ?? { added: [] }, where).toEqual({ added: [] });
  expect(await running.end(), where).toEqual({ code: 0, signal: null });
  expect(running.garbage, where).toEqual([]);
  expect(running.stderr, where).not.toContain('unexpected:');
  const replies = running.replies.filter(({ method }) => !method);
  const strangers = replies.filter(
    ({ id }) => id !== null && !String(id).startsWith('own-') && !sent.ids.has(id),
  );
  expect(strangers, where).toEqual([]);
  const answered = new Set<unknown>(replies.map(({ id }) => id));
  const forgotten = [...sent.owed].filter((id) => id !== undefined && !answered.has(id));
  expect(forgotten, where).toEqual([]);
  expect(
    running.replies.filter(({ jsonrpc }) => jsonrpc !== '2.0'),
    where,
  ).toEqual([]);
  return result !== undefined;
}

const title = `${MESSAGES} malformed and half-valid messages break nothing (seed ${SEED})`;
test(`${cites('T34', 'T23', 'T28')} ${title}`, async () => {
  let looked = 0;
  for (let sent = 0, run = 0; sent < MESSAGES; sent += PER_PROCESS, run++) {
    const count = Math.min(PER_PROCESS, MESSAGES - sent);
    if (await fuzzOne(SEED + run, count)) looked += 1;
  }
  expect(looked).toBeGreaterThan(0);
}, 300_000);
