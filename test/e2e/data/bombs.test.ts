import { closeSync, openSync, truncateSync, writeSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createTestEngine } from '../../../packages/data/test/test-engine.ts';
import type { FileWorkspace } from '../file-workspace.ts';
import { cites } from '../requirements.ts';
import {
  checked,
  DATA,
  type DataServer,
  dataServer,
  dataWorkspace,
  MOST_RESIDENT,
  mostResident,
  peakOf,
} from './data-server.ts';

const MIB = 1024 * 1024;
/** Of what takes long on a busy machine; it is no measure. */
const PATIENCE_MS = 240_000;
/** The engine's own limit is 512 MiB, and not all that it takes counts. */
const MAX_WHILE_LOADING = 1024 * MIB;
const PET = { 'pets.csv': 'animal\nwalrus\n' };

/** A file of the workspace, written piece by piece. */
function stream(workspace: FileWorkspace, name: string, pieces: Iterable<string | Buffer>): void {
  const opened = openSync(workspace.file(`${DATA}/${name}`), 'w');
  for (const piece of pieces) writeSync(opened, piece as string);
  closeSync(opened);
}

function* times<Piece>(count: number, piece: Piece, first?: Piece): Generator<Piece> {
  if (first !== undefined) yield first;
  for (let done = 0; done < count; done++) yield piece;
}

async function expectUnharmed(
  server: DataServer,
  ids: readonly string[],
  maxOfEngine: number,
): Promise<void> {
  const engine = await peakOf(server, server.ids());
  expect(engine).toBeGreaterThan(0);
  expect(engine).toBeLessThan(maxOfEngine);
  expect(await server.ids()).toEqual([...ids, 'pets'].toSorted());
  expect(await server.values('SELECT animal FROM pets')).toEqual(['walrus']);
  expect(mostResident(server.pid)).toBeLessThan(MOST_RESIDENT);
}

test(`${cites('T46')} files and lines that are too long are refused by name, at little cost`, async () => {
  await using workspace = dataWorkspace({
    ...PET,
    'large.csv': 'a\n',
    'sparse.ndjson': '{"a":1}\n',
  });
  truncateSync(workspace.file(`${DATA}/large.csv`), 1536 * MIB);
  truncateSync(workspace.file(`${DATA}/sparse.ndjson`), 1000 * MIB);
  const line = Buffer.alloc(MIB, 'a');
  stream(workspace, 'line.csv', times(1000, line, Buffer.from('a,b\n')));
  stream(workspace, 'line.ndjson', times(100, line, Buffer.from('{"a":"')));
  stream(workspace, 'line.json', times(100, line, Buffer.from('[{"a":"')));
  stream(workspace, 'cell.csv', times(20, line, Buffer.from('a,b\n1,"')));
  const server = dataServer(workspace);
  await expectUnharmed(server, [], MOST_RESIDENT);
  const told = (await checked(workspace)).join('\n');
  expect(told).toContain('large.csv:1: error: This is larger than 1 GiB: split it.');
  expect(told).toContain('line.csv:2: error: This line is longer than 8 MiB.');
  expect(told).toContain('sparse.ndjson:2: error: This is not a text: it holds a NUL byte.');
  for (const name of ['line.ndjson', 'line.json', 'cell.csv']) {
    expect(told).toMatch(new RegExp(`${name}:\\d+: error: `));
  }
});

test(
  `${cites('T46')} ten million cells, and texts that grow when they are decoded, are answered`,
  async () => {
    await using workspace = dataWorkspace(PET);
    const header = `${Array.from({ length: 10 }, (_, n) => `c${n}`).join(',')}\n`;
    const rows = `${Array.from({ length: 10 }, (_, n) => n).join(',')}\n`.repeat(10_000);
    stream(workspace, 'cells.csv', times(100, rows, header));
    // Two bytes in UTF-16 are three in UTF-8.
    const wide = Buffer.from(`${'\u4e00'.repeat(100)}\n`.repeat(5000), 'utf16le');
    stream(workspace, 'wide.csv', times(40, wide, Buffer.from('\ufefftext\n', 'utf16le')));
    const server = dataServer(workspace);
    await expectUnharmed(server, ['cells', 'wide'], MAX_WHILE_LOADING);
    expect(await server.values('SELECT sum(c9) FROM cells')).toEqual([9_000_000]);
    expect(await server.values('SELECT count(*) FROM wide')).toEqual([200_000]);
  },
  PATIENCE_MS,
);

test(
  `${cites('T46')} small Parquet files with a great many equal values are answered or refused`,
  async () => {
    await using workspace = dataWorkspace(PET);
    await using made = createTestEngine();
    for (const [name, count, value] of [
      ['many', 20_000_000, '1'],
      ['too-many', 101_000_000, '1'],
      ['texts', 20_000, `repeat('x', 50000)`],
    ] as const) {
      const file = path.join(made.folder, `${name}.parquet`);
      const sql = `COPY (SELECT ${value} AS v FROM range(${count})) TO '${file}' (FORMAT parquet, COMPRESSION zstd)`;
      await made.engine.run(sql, { seconds: 100 });
      await rename(file, workspace.file(`${DATA}/${name}.parquet`));
    }
    const server = dataServer(workspace);
    const engine = await peakOf(server, server.ids());
    expect(engine).toBeLessThan(MAX_WHILE_LOADING);
    expect(await server.ids()).not.toContain('too-many');
    expect(await server.values('SELECT animal FROM pets')).toEqual(['walrus']);
    expect(mostResident(server.pid)).toBeLessThan(MOST_RESIDENT);
    expect((await checked(workspace)).join('\n')).toContain(
      'too-many.parquet:1: error: This has more than 100000000 records.',
    );
  },
  PATIENCE_MS,
);
