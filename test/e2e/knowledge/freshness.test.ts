import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type FileWorkspace, fileWorkspace } from '../file-workspace.ts';
import { cites } from '../requirements.ts';
import { ANIMALS, type KnowledgeServer, knowledgeServer, pageAbout } from './knowledge-server.ts';

const KNOWLEDGE = '.baton/knowledge';

/** Every server is asked only once: nothing may be noticed later than with the next call. */
async function expectFound(
  servers: readonly KnowledgeServer[],
  word: string,
  ids: readonly string[],
  when: string,
): Promise<void> {
  for (const [place, server] of servers.entries()) {
    expect(await server.found(word), `${word} by server ${place + 1}, ${when}`).toEqual(ids);
  }
}

function move(workspace: FileWorkspace, from: string, to: string): void {
  renameSync(workspace.file(from), workspace.file(to));
}

/** Two servers that know the workspace already, and a home with or without a folder for settings. */
async function watching(workspace: FileWorkspace): Promise<KnowledgeServer[]> {
  const servers = [knowledgeServer(workspace), knowledgeServer(workspace)];
  for (const server of servers) await server.found('anything');
  return servers;
}

test(`${cites('KNOWLEDGE-FRESH')} the next call of every server knows what became of a file`, async () => {
  await using workspace = fileWorkspace({ [`${KNOWLEDGE}/other.md`]: pageAbout('kettle') });
  const servers = await watching(workspace);
  const steps: readonly [string, () => void, gone: string, there: string, id: string][] = [
    [
      'added',
      () => workspace.write(`${KNOWLEDGE}/pet.md`, pageAbout('walrus')),
      'badger',
      'walrus',
      'pet',
    ],
    [
      'edited',
      () => workspace.write(`${KNOWLEDGE}/pet.md`, pageAbout('badger')),
      'walrus',
      'badger',
      'pet',
    ],
    [
      'replaced by a rename',
      () => {
        workspace.write('draft.md', pageAbout('ferret'));
        move(workspace, 'draft.md', `${KNOWLEDGE}/pet.md`);
      },
      'badger',
      'ferret',
      'pet',
    ],
    [
      'renamed',
      () => move(workspace, `${KNOWLEDGE}/pet.md`, `${KNOWLEDGE}/friend.md`),
      'walrus',
      'ferret',
      'friend',
    ],
    [
      'moved into a new folder',
      () => {
        mkdirSync(workspace.file(`${KNOWLEDGE}/zoo/big`), { recursive: true });
        move(workspace, `${KNOWLEDGE}/friend.md`, `${KNOWLEDGE}/zoo/big/friend.md`);
      },
      'walrus',
      'ferret',
      'zoo/big/friend',
    ],
    [
      'in a folder that was moved',
      () => move(workspace, `${KNOWLEDGE}/zoo`, `${KNOWLEDGE}/park`),
      'walrus',
      'ferret',
      'park/big/friend',
    ],
    [
      'edited in a folder that was moved',
      () => workspace.write(`${KNOWLEDGE}/park/big/friend.md`, pageAbout('jaguar')),
      'ferret',
      'jaguar',
      'park/big/friend',
    ],
    [
      'in a folder that was removed and made again',
      () => {
        workspace.remove(`${KNOWLEDGE}/park`);
        workspace.write(`${KNOWLEDGE}/park/big/friend.md`, pageAbout('lizard'));
      },
      'jaguar',
      'lizard',
      'park/big/friend',
    ],
    [
      'edited in a folder that was made again',
      () => workspace.write(`${KNOWLEDGE}/park/big/friend.md`, pageAbout('turtle')),
      'lizard',
      'turtle',
      'park/big/friend',
    ],
  ];
  for (const [when, act, gone, there, id] of steps) {
    act();
    await expectFound(servers, there, [`guide/${id}`], when);
    await expectFound(servers, gone, [], when);
  }
  workspace.remove(`${KNOWLEDGE}/park`);
  await expectFound(servers, 'turtle', [], 'removed');
  await expectFound(servers, 'kettle', ['guide/other'], 'untouched');
});

test(`${cites('KNOWLEDGE-FRESH')} edits that leave the size as it was, one right after the other, are known`, async () => {
  await using workspace = fileWorkspace({});
  const servers = await watching(workspace);
  for (const [place, word] of [...ANIMALS, ...ANIMALS].entries()) {
    workspace.write(`${KNOWLEDGE}/pet.md`, pageAbout(word));
    await expectFound(servers, word, ['guide/pet'], `edit ${place}`);
    const before = ANIMALS[(place + ANIMALS.length - 1) % ANIMALS.length] ?? '';
    await expectFound(servers, before, [], `edit ${place}`);
  }
});

for (const [what, missing, isHome] of [
  ['folder .baton/knowledge', [], true],
  ['folder .baton/knowledge, nor the user’s', [], false],
  ['folder .baton', ['.baton'], true],
] as const) {
  test(`${cites('KNOWLEDGE-FRESH')} where there was no ${what} at first, it is known once it is made`, async () => {
    await using workspace = fileWorkspace({});
    const config = path.join(workspace.home, '.config/baton');
    if (isHome) mkdirSync(config, { recursive: true });
    for (const name of missing) workspace.remove(name);
    const servers = await watching(workspace);
    workspace.write(`${KNOWLEDGE}/deep/pet.md`, pageAbout('walrus'));
    await expectFound(servers, 'walrus', ['guide/deep/pet'], 'made');
    workspace.write(`${KNOWLEDGE}/deep/pet.md`, pageAbout('badger'));
    await expectFound(servers, 'badger', ['guide/deep/pet'], 'edited');
    workspace.write('.baton/prompts/ask.md', pageAbout('ferret'));
    await expectFound(servers, 'ferret', ['workflow/ask'], 'a prompt');
    workspace.write(path.join(config, 'knowledge/mine.md'), pageAbout('jaguar'));
    await expectFound(servers, 'jaguar', ['guide/mine'], 'the user’s own');
  });
}

test(`${cites('KNOWLEDGE-FRESH')} a whole folder that is removed, made again or exchanged is known`, async () => {
  await using workspace = fileWorkspace({ [`${KNOWLEDGE}/pet.md`]: pageAbout('walrus') });
  mkdirSync(path.join(workspace.home, '.config/baton'), { recursive: true });
  const servers = await watching(workspace);
  const expectEdited = async (word: string, when: string) => {
    workspace.write(`${KNOWLEDGE}/pet.md`, pageAbout(word));
    await expectFound(servers, word, ['guide/pet'], when);
  };
  workspace.remove(KNOWLEDGE);
  await expectFound(servers, 'walrus', [], 'removed');
  await expectEdited('badger', 'made again');
  // Nobody looks in between.
  workspace.remove(KNOWLEDGE);
  await expectEdited('ferret', 'removed and made again at once');
  await expectEdited('jaguar', 'edited after that');
  workspace.write('.baton/next/pet.md', pageAbout('lizard'));
  move(workspace, KNOWLEDGE, '.baton/last');
  move(workspace, '.baton/next', KNOWLEDGE);
  await expectFound(servers, 'lizard', ['guide/pet'], 'exchanged for another folder');
  await expectEdited('turtle', 'edited after that');
  workspace.write('next/knowledge/pet.md', pageAbout('weasel'));
  move(workspace, '.baton', 'last');
  move(workspace, 'next', '.baton');
  await expectFound(servers, 'weasel', ['guide/pet'], '.baton was exchanged for another folder');
  await expectEdited('osprey', 'edited after that');
  rmSync(workspace.file('.baton'), { recursive: true });
  await expectFound(servers, 'osprey', [], '.baton is gone');
  await expectEdited('coyote', '.baton is there again');
});

test(`${cites('KNOWLEDGE-FRESH')} after a checkout of another branch its files count, and no others`, async () => {
  await using workspace = fileWorkspace({});
  const git = (...args: readonly string[]) => {
    const who = ['-c', 'user.name=ann', '-c', 'user.email=ann@example.org'];
    const { status, stderr } = spawnSync('git', [...who, ...args], {
      cwd: workspace.path,
      env: { ...workspace.env, GIT_CONFIG_NOSYSTEM: '1' },
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
  };
  const commit = (branch: string, word: string, folder: string) => {
    for (let file = 0; file < 100; file++) {
      workspace.write(`${KNOWLEDGE}/${folder}-${file % 10}/n${file}.md`, pageAbout(word));
    }
    git('checkout', '--quiet', '--orphan', branch);
    git('add', '--all');
    git('commit', '--quiet', '--message', branch);
  };
  git('init', '--quiet');
  commit('old', 'walrus', 'wild');
  workspace.remove(KNOWLEDGE);
  commit('new', 'badger', 'tame');
  const servers = await watching(workspace);
  for (const [branch, there, gone] of [
    ['old', 'walrus', 'badger'],
    ['new', 'badger', 'walrus'],
    ['old', 'walrus', 'badger'],
  ] as const) {
    git('checkout', '--quiet', branch);
    for (const server of servers) {
      expect(await server.found(there, { maxResults: 50 }), branch).toHaveLength(50);
      expect(await server.found(gone), branch).toEqual([]);
      expect(await server.read('baton://knowledge')).toContain('\n\n100 pieces');
    }
  }
});

test(`${cites('KNOWLEDGE-FRESH')} what is written while a call looks is known to the next one`, async () => {
  await using workspace = fileWorkspace({});
  mkdirSync(path.join(workspace.home, '.config/baton'), { recursive: true });
  const [server] = await watching(workspace);
  for (const [round, word] of [...ANIMALS, ...ANIMALS].entries()) {
    for (let file = 0; file < 30; file++) {
      workspace.write(`${KNOWLEDGE}/r${round}/n${file}.md`, pageAbout('kettle').repeat(40));
    }
    const looking = server?.found('kettle');
    // Sooner or later in the look, from round to round.
    for (let turn = 0; turn < round * 3; turn++) await nextTurn();
    workspace.write(`${KNOWLEDGE}/r${round}/late.md`, pageAbout(word));
    await looking;
    expect(await server?.found(word), `round ${round}`).toContain(`guide/r${round}/late`);
  }
});
