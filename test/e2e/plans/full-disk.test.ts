import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Room } from '../../../packages/store/test/faults/room.ts';
import { cites } from '../requirements.ts';
import type { PlanServer } from './plan-server.ts';
import { PlanWorld } from './plan-world.ts';
import { until } from './until.ts';

const KILOBYTES = 8 * 1024;

/** A world whose state lies on a small disk of its own. */
class SmallDisk implements AsyncDisposable {
  readonly world: PlanWorld;
  readonly server: PlanServer;
  readonly #room: Room;

  static async make(): Promise<SmallDisk> {
    return new SmallDisk(await Room.enter({ kilobytes: KILOBYTES }));
  }

  constructor(room: Room) {
    this.#room = room;
    this.world = new PlanWorld({ state: path.join(room.inside, 'state') });
    const [command = '', ...args] = room.command(process.execPath);
    this.server = this.world.server('auto', {
      command: [command, ...args],
      // The folder that it is started in is lost on the way into the room.
      env: { BATON_WORKSPACE: this.world.workspace },
    });
  }

  /** To the last byte. */
  fill(): void {
    const file = path.join(this.#room.outside, 'filler');
    for (let part = 0, size = 1024 * 1024; size >= 1; ) {
      try {
        writeFileSync(`${file}-${part}`, Buffer.alloc(size));
        part += 1;
      } catch {
        size = Math.floor(size / 4);
      }
    }
  }

  clear(): void {
    this.#room.run('sh', '-c', `rm ${this.#room.inside}/filler-*`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
    await this.#room[Symbol.asyncDispose]();
  }
}

test(`${cites('T19', 'PLAN-SURVIVES')} a plan survives a full disk and ends when there is room again`, async () => {
  await using disk = await SmallDisk.make();
  const { world, server } = disk;
  const gate = 'while [ ! -e open ]; do sleep 0.05; done';
  const plan = await server.create({
    jobs: [
      { id: 'silent', work: `${gate}; echo silent >> effects` },
      { id: 'speaks', work: `${gate}; echo speaks >> effects; echo output; sleep 0.2` },
      { id: 'spoke', work: `echo output; ${gate}; echo spoke >> effects`, retry: 'never' },
      { id: 'after', work: 'echo after >> effects', needs: ['silent', 'speaks', 'spoke'] },
    ],
  });
  await server.running(plan, 3);
  await server.get(plan, { view: 'logs', job: 'spoke', waitSeconds: 20 });
  disk.fill();
  world.write('open', '');
  await until('the effects', () => world.lines('effects').length === 3);
  await until('the end of their processes', () => world.jobs().length === 0);
  // It cannot be written down, and it is not forgotten.
  expect(await server.get(plan)).toMatchObject({ state: 'running' });
  await expect(server.create({ jobs: [{ id: 'more', work: 'true' }] })).rejects.toMatchObject({
    code: 'store_full',
  });
  disk.clear();
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  expect(await server.story(plan, 'silent')).toBe('succeeded');
  expect(await server.story(plan, 'spoke')).toBe('succeeded');
  // Its output could not be kept.
  expect(await server.attempts(plan, 'speaks')).toMatchObject([
    { state: 'failed', reason: 'log_failed' },
    { state: 'succeeded', trigger: 'again' },
  ]);
  expect((await server.log(plan, 'speaks')).text).toBe('output\n');
  const effects = world.lines('effects');
  expect(effects.filter((each) => each !== 'speaks').toSorted()).toEqual([
    'after',
    'silent',
    'spoke',
  ]);
  expect(effects.at(-1)).toBe('after');
});
