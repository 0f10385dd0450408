import { cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../programs.ts';
import { cites } from '../requirements.ts';
import { PlanWorld } from './plan-world.ts';
import { until } from './until.ts';

/** A program of its own, as somebody has installed it, who can take it away. */
function install(world: PlanWorld): string {
  const folder = path.join(world.folder, 'installed');
  cpSync(path.dirname(program), folder, { recursive: true });
  return path.join(folder, path.basename(program));
}

const ONE_JOB = { name: 'p', jobs: [{ id: 'one', work: 'true' }] };

test(`${cites('PLAN-SURVIVES', 'T39')} a program that is gone accepts plans with a warning, says so in its status, and runs them when it is back`, async () => {
  await using world = new PlanWorld();
  const file = install(world);
  const server = world.server('auto', { program: file });
  expect((await server.call('status')).worker).toBe('none, one is started when there is work');
  renameSync(file, `${file}.old`);
  const gone = expect.stringContaining(`${file} is gone. Install Baton again`);
  expect((await server.call('status')).worker).toEqual(gone);
  const created = await server.call('plan_create', ONE_JOB);
  expect(created).toMatchObject({ state: 'running', problem: gone });
  expect(await server.get(created.id)).toMatchObject({ problem: gone });
  expect((await server.call('status')).worker).toEqual(gone);
  renameSync(`${file}.old`, file);
  expect(await server.ended(created.id)).toMatchObject({ state: 'succeeded' });
  await until('a worker in the status', async () => {
    return /^worker \d+$/.test((await server.call('status')).worker);
  });
});

test.each([
  ['its other half is missing', () => "import './not-yet-there.mjs';\n", 'not-yet-there'],
  [
    'it is cut off',
    (whole: string) => whole.slice(0, whole.length / 2),
    'SyntaxError: [^.]{1,200}\\.? Install',
  ],
])(
  `${cites('PLAN-SURVIVES', 'T39')} a program that is half replaced says why no worker lives, at once: %s`,
  async (_, half, why) => {
    await using world = new PlanWorld();
    const file = install(world);
    const server = world.server('auto', { program: file });
    await server.call('status');
    writeFileSync(file, half(readFileSync(file, 'utf8')));
    const words = expect.stringMatching(new RegExp(`ended at once: .*${why}`));
    const created = await server.call('plan_create', ONE_JOB);
    expect(created).toMatchObject({ state: 'running', problem: words });
    expect((await server.call('status')).worker).toEqual(words);
  },
);
