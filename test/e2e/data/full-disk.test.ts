import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { startProgram } from '@baton/testkit';
import { expect, test } from 'vitest';
import { Room } from '../../../packages/store/test/faults/room.ts';
import { program } from '../programs.ts';
import { cites } from '../requirements.ts';
import { DATA, DataServer, dataWorkspace } from './data-server.ts';

const KILOBYTES = 12 * 1024;

/** Values that cannot be made smaller. */
function noise(rows: number): string {
  const line = (n: number) => `${n},${((n * 2_654_435_761) % 4_294_967_291).toString(36)}`;
  return `id,code\n${Array.from({ length: rows }, (_, n) => line(n)).join('\n')}\n`;
}

test(`${cites('T46', 'T19')} a full disk is told, the server lives, and goes on when there is room`, async () => {
  await using room = await Room.enter({ kilobytes: KILOBYTES });
  await using workspace = dataWorkspace({ 'pets.csv': 'animal\nwalrus\n' });
  const [command = '', ...args] = room.command(process.execPath);
  await using started = startProgram(program, {
    command: [command, ...args],
    env: {
      ...workspace.env,
      BATON_STATE: path.join(room.inside, 'state'),
      BATON_WORKSPACE: workspace.path,
    },
  });
  const server = new DataServer(started);
  expect(await server.values('FROM pets')).toEqual(['walrus']);
  // Each of them fills the disk at another place: the copy, the records as texts, the records.
  for (const megabytes of [0.1, 2, 6, 9]) {
    const filler = path.join(room.outside, 'filler');
    writeFileSync(
      filler,
      Buffer.alloc(Math.floor(KILOBYTES * 1024 - (megabytes + 0.6) * 1024 * 1024)),
    );
    workspace.write(`${DATA}/codes.csv`, noise(400_000 + megabytes * 10));
    for (const tool of ['data_describe', 'data_describe']) {
      const code = await server.code(tool, {});
      expect([megabytes, code]).toEqual([megabytes, 'data_cache_unusable']);
    }
    room.run('rm', path.join(room.inside, 'filler'));
    workspace.write(`${DATA}/codes.csv`, noise(1000));
    expect(await server.values('SELECT count(*) FROM codes')).toEqual([1000]);
  }
});
