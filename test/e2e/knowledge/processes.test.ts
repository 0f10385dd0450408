import { readdirSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom, type Program, startProgram } from '@baton/testkit';
import { expect, test } from 'vitest';
import { Room } from '../../../packages/store/test/faults/room.ts';
import { type FileWorkspace, fileWorkspace } from '../file-workspace.ts';
import { program } from '../programs.ts';
import { cites } from '../requirements.ts';
import { indexFiles, theIndex, unfinishedFiles } from './index-files.ts';
import { ANIMALS, KnowledgeServer, knowledgeServer, pageAbout } from './knowledge-server.ts';

const KNOWLEDGE = '.baton/knowledge';
const FILES = 300;
const SEED = Number(process.env.BATON_TEST_SEED ?? Math.floor(Math.random() * 1e6));
const DAY_SECONDS = 24 * 60 * 60;

/** Pages of many words, and one about a walrus. */
function library(files = FILES): FileWorkspace {
  const workspace = fileWorkspace({ [`${KNOWLEDGE}/walrus.md`]: pageAbout('walrus') });
  for (let file = 1; file < files; file++) {
    const words = Array.from({ length: 60 }, (_, word) => `word${(file * 7 + word * 13) % 4000}`);
    workspace.write(
      `${KNOWLEDGE}/f${file % 7}/n${file}.md`,
      `# Page ${file}\n\n${words.join(' ')}\n`,
    );
  }
  return workspace;
}

async function expectAnswers(server: KnowledgeServer, when: string): Promise<void> {
  expect(await server.found('walrus'), when).toEqual(['guide/walrus']);
}

test(`${cites('KNOWLEDGE-INDEX')} the index is kept for this user alone, and the next process takes it as it is`, async () => {
  await using workspace = library();
  await expectAnswers(knowledgeServer(workspace), 'the first');
  const index = theIndex(workspace.state);
  const before = statSync(index, { bigint: true });
  expect(before.mode & 0o777n).toBe(0o600n);
  expect(statSync(path.dirname(index)).mode & 0o777).toBe(0o700);
  workspace.write(`${KNOWLEDGE}/late.md`, pageAbout('badger'));
  const next = knowledgeServer(workspace);
  await expectAnswers(next, 'the next');
  expect(await next.found('badger')).toEqual(['guide/late']);
  // Whoever does not take it makes another.
  expect(statSync(index, { bigint: true })).toMatchObject({
    ino: before.ino,
    mtimeNs: before.mtimeNs,
  });
  expect(unfinishedFiles(workspace.state)).toEqual([]);
});

test(`${cites('KNOWLEDGE-INDEX')} six processes that start at once, while files change, all know the same`, async () => {
  await using workspace = library();
  const servers = Array.from({ length: 6 }, () => knowledgeServer(workspace));
  const first = servers.map((server) => expectAnswers(server, 'at the start'));
  for (const [place, word] of ANIMALS.slice(1, 5).entries()) {
    workspace.write(`${KNOWLEDGE}/f${place % 7}/new.md`, pageAbout(word));
    if (place > 0) workspace.remove(`${KNOWLEDGE}/f${place % 7}/n${place}.md`);
    await Promise.all(servers.map((server) => server.found(word)));
  }
  await Promise.all(first);
  const overviews = await Promise.all(
    servers.map(async (server) => {
      expect(await server.found('lizard')).toEqual(['guide/f3/new']);
      await expectAnswers(server, 'at the end');
      return server.read('baton://knowledge');
    }),
  );
  expect(new Set(overviews).size).toBe(1);
  expect(indexFiles(workspace.state)).toHaveLength(1);
  expect(unfinishedFiles(workspace.state)).toEqual([]);
  const ends = await Promise.all(servers.map((server) => server.program.end()));
  expect(ends).toEqual(Array(6).fill({ code: 0, signal: null }));
});

/** A server that dies in the moment before its index gets its name. */
async function dieBeforeRename(workspace: FileWorkspace): Promise<void> {
  const command = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', 'trace=rename'] as const;
  await using dying = startProgram(program, {
    cwd: workspace.path,
    env: workspace.env,
    command: [...command, '-e', 'inject=rename:signal=SIGKILL:when=1', process.execPath],
  });
  await expect(new KnowledgeServer(dying).found('walrus')).rejects.toThrow('ended without');
}

test(`${cites('KNOWLEDGE-INDEX', 'T8')} what servers leave that are killed harms nobody, and does not pile up (seed ${SEED})`, async () => {
  await using workspace = library();
  const random = createRandom(SEED);
  for (let kill = 0; kill < 3; kill++) await dieBeforeRename(workspace);
  // That is how it looks: else nothing is shown here.
  expect(unfinishedFiles(workspace.state)).toHaveLength(3);
  expect(indexFiles(workspace.state)).toEqual([]);
  for (let kill = 0; kill < 10; kill++) {
    await using server = startProgram(program, { cwd: workspace.path, env: workspace.env });
    server.send({ id: 1, method: 'tools/call', params: searchFor('walrus') });
    await pause(random.integer(400));
    server.child.kill('SIGKILL');
    await server.exited;
    const [reply] = server.replies;
    if (reply) expect(foundIn(reply)).toEqual(['guide/walrus']);
    for (const file of indexFiles(workspace.state)) workspace.remove(file);
  }
  await expectAnswers(knowledgeServer(workspace), 'after all of them');
  // Nobody can still be writing what is a day old.
  const yesterday = Date.now() / 1000 - DAY_SECONDS;
  for (const file of unfinishedFiles(workspace.state)) utimesSync(file, yesterday, yesterday);
  workspace.remove(theIndex(workspace.state));
  await expectAnswers(knowledgeServer(workspace), 'with another index');
  expect(unfinishedFiles(workspace.state)).toEqual([]);
});

function searchFor(query: string) {
  return { name: 'knowledge_search', arguments: { query, mode: 'index' } };
}

function foundIn({ result }: Program['replies'][number]): string[] {
  return result.structuredContent.pieces.map(({ id }: { id: string }) => id);
}

test(`${cites('KNOWLEDGE-INDEX', 'T19')} answers are right without room for an index, and where nothing can be written`, async () => {
  await using workspace = library();
  await using room = await Room.enter({ kilobytes: 96 });
  const inRoom = async (when: string) => {
    await using running = startProgram(program, {
      cwd: workspace.path,
      command: room.command(process.execPath) as [string, ...string[]],
      env: {
        ...workspace.env,
        BATON_STATE: path.join(room.inside, 'state'),
        // The folder that it is started in is lost on the way into the room.
        BATON_WORKSPACE: workspace.path,
      },
    });
    const server = new KnowledgeServer(running);
    await expectAnswers(server, when);
    workspace.write(`${KNOWLEDGE}/late.md`, pageAbout('badger'));
    expect(await server.found('badger'), when).toEqual(['guide/late']);
    workspace.remove(`${KNOWLEDGE}/late.md`);
    expect(await running.end(), when).toEqual({ code: 0, signal: null });
  };
  const state = path.join(room.outside, 'state');
  await inRoom('without room');
  expect(indexFiles(state)).toEqual([]);
  expect(unfinishedFiles(state)).toEqual([]);
  room.remount('ro');
  await inRoom('read-only');
  room.remount('rw');
  room.resize(16 * 1024);
  await inRoom('with room again');
  expect(indexFiles(state)).toHaveLength(1);
  expect(readdirSync(path.join(state, 'knowledge'))).toHaveLength(1);
});
