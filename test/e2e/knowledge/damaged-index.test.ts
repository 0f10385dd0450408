import {
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fileWorkspace } from '../file-workspace.ts';
import { cites } from '../requirements.ts';
import { theIndex, unfinishedFiles } from './index-files.ts';
import { ANIMALS, knowledgeServer, pageAbout } from './knowledge-server.ts';

const KNOWLEDGE = '.baton/knowledge';
const FLIPS = 12;
/** Magic, format, checksum, length of the table of contents. */
const HEAD_NUMBERS = 4;
/** Processes at a time. */
const AT_ONCE = 4;

type Damage = readonly [what: string, damage: (file: string) => void];

function change(file: string, edit: (bytes: Buffer) => void): void {
  const bytes = readFileSync(file);
  edit(bytes);
  writeFileSync(file, bytes);
}

function damages(size: number): Damage[] {
  const cuts = [0, 7, 16, 24, Math.floor(size / 2), size - 8, size - 1];
  const flips = Array.from({ length: FLIPS }, (_, part) => Math.floor((size * part) / FLIPS) + 17);
  return [
    ...cuts.map((length): Damage => [`cut to ${length}`, (file) => truncateSync(file, length)]),
    ...flips.map(
      (at): Damage => [
        `a bit at ${at}`,
        (file) => change(file, (bytes) => bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at)),
      ],
    ),
    ...Array.from(
      { length: HEAD_NUMBERS },
      (_, place): Damage => [
        `number ${place} of the head`,
        (file) =>
          change(file, (bytes) =>
            bytes.writeUInt32LE(bytes.readUInt32LE(place * 4) + 1, place * 4),
          ),
      ],
    ),
    ['only zeros', (file) => change(file, (bytes) => bytes.fill(0))],
    ['a text', (file) => writeFileSync(file, 'this is no index '.repeat(100))],
    ['longer than it was', (file) => writeFileSync(file, 'more text', { flag: 'a' })],
  ];
}

test(`${cites('KNOWLEDGE-INDEX', 'T20')} a damaged index is made anew, and nobody notices`, async () => {
  await using workspace = fileWorkspace({});
  for (const word of ANIMALS) workspace.write(`${KNOWLEDGE}/${word}.md`, pageAbout(word));
  /** Answers of a process that has this state. */
  const ask = async (state: string) => {
    const server = knowledgeServer(workspace, { BATON_STATE: state });
    const { pieces } = await server.call('knowledge_search', { query: 'osprey', mode: 'full' });
    const overview = await server.read('baton://knowledge');
    const nothing = await server.found('kettle');
    expect(await server.program.end()).toEqual({ code: 0, signal: null });
    return { pieces, overview, nothing };
  };
  const right = await ask(workspace.state);
  expect(right.pieces).toMatchObject([
    { id: 'guide/osprey', text: expect.stringContaining('what a osprey eats') },
  ]);
  const whole = statSync(theIndex(workspace.state)).size;
  const all = damages(whole);
  const check = async ([what, damage]: Damage, place: number) => {
    const state = path.join(workspace.home, `state-${place}`);
    cpSync(path.join(workspace.state, 'knowledge'), path.join(state, 'knowledge'), {
      recursive: true,
    });
    damage(theIndex(state));
    expect(await ask(state), what).toEqual(right);
    // It is whole again, so the next process can start with it.
    const mended = statSync(theIndex(state));
    expect(mended.size, what).toBe(whole);
    expect(await ask(state), what).toEqual(right);
    expect(statSync(theIndex(state)).ino, what).toBe(mended.ino);
    expect(unfinishedFiles(state), what).toEqual([]);
  };
  for (let first = 0; first < all.length; first += AT_ONCE) {
    const some = all.slice(first, first + AT_ONCE);
    await Promise.all(some.map((one, place) => check(one, first + place)));
  }
});

test(`${cites('KNOWLEDGE-INDEX')} something else where the index should be is left alone, and nobody notices`, async () => {
  await using workspace = fileWorkspace({ [`${KNOWLEDGE}/pet.md`]: pageAbout('walrus') });
  expect(await knowledgeServer(workspace).found('walrus')).toEqual(['guide/pet']);
  const index = theIndex(workspace.state);
  rmSync(index);
  mkdirSync(path.join(index, 'mine'), { recursive: true });
  expect(await knowledgeServer(workspace).found('walrus')).toEqual(['guide/pet']);
  expect(statSync(path.join(index, 'mine')).isDirectory()).toBe(true);
  expect(unfinishedFiles(workspace.state)).toEqual([]);
  rmSync(path.dirname(index), { recursive: true });
  writeFileSync(path.dirname(index), 'a file where the folder should be');
  expect(await knowledgeServer(workspace).found('walrus')).toEqual(['guide/pet']);
});
