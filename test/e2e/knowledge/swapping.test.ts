import path from 'node:path';
import { type Program, startProgram } from '@baton/testkit';
import { expect, test } from 'vitest';
import { type FileWorkspace, fileWorkspace } from '../file-workspace.ts';
import { program } from '../programs.ts';
import { cites } from '../requirements.ts';
import { KnowledgeServer, pageAbout } from './knowledge-server.ts';
import { Swapper } from './swapper.ts';

const KNOWLEDGE = '.baton/knowledge';
const SECRET = 'platypus';
const ROUNDS = 6;
/** Of each request in a round: they wait for one another in the server. */
const AT_ONCE = 10;
const WAYS_TO_ASK = 6;
/** Between two looks at a file there is time for many swaps. */
const DELAY_MICROSECONDS = 1000;

/** Two pages: one that stays, and one that is exchanged for something outside. */
function swapped(...names: readonly string[]): FileWorkspace {
  const workspace = fileWorkspace({ [`${KNOWLEDGE}/stays.md`]: pageAbout('badger') });
  workspace.write('kept/pet.md', pageAbout('walrus'));
  for (const name of names) {
    workspace.write(path.join(workspace.home, 'outside', name), pageAbout(SECRET));
  }
  return workspace;
}

interface Seen {
  readonly answers: number;
  /** Answers that had the text of the page inside. */
  readonly inside: number;
  readonly outside: number;
}

/** Asks for a page in every way there is, over and over. */
async function readOften(server: KnowledgeServer, id: string): Promise<Seen> {
  const search = (query: string, mode: string) => ({
    name: 'knowledge_search',
    arguments: { query, mode },
  });
  const requests = [
    ['tools/call', search('what a walrus eats', 'full')],
    ['tools/call', search(`what a ${SECRET} eats`, 'full')],
    ['tools/call', search(`what a ${SECRET} eats`, 'catalog')],
    ['resources/read', { uri: `baton://knowledge/guide/${id}` }],
    ['resources/read', { uri: `orchestr8://match?query=${SECRET}+walrus` }],
    ['prompts/get', { name: 'swapped' }],
  ] as const;
  let seen = { answers: 0, inside: 0, outside: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const asked = requests.flatMap((one) => Array<typeof one>(AT_ONCE).fill(one));
    const replies = await Promise.all(
      asked.map(([method, params]) => server.request(method, params)),
    );
    // What nobody asked for would be in the text of a page, a description or an error.
    const texts = replies.map((reply) => JSON.stringify(reply));
    seen = {
      answers: seen.answers + replies.filter(({ result, error }) => result ?? error).length,
      inside: seen.inside + texts.filter((text) => text.includes('How to feed a walrus')).length,
      outside:
        seen.outside + texts.filter((text) => text.includes(`How to feed a ${SECRET}`)).length,
    };
  }
  return seen;
}

/** A server that is slow whenever it looks at a path. */
function slowServer({ path: cwd, env }: FileWorkspace): Program {
  const calls = 'statx,readlink,openat';
  const trace = ['-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', '-e', `trace=${calls}`];
  const delay = `inject=${calls}:delay_enter=${DELAY_MICROSECONDS}`;
  const command = ['strace', ...trace, '-e', delay, process.execPath] as const;
  return startProgram(program, { cwd, env, command: [...command] });
}

/** Exchanges `target` all the time, while two servers read. */
async function expectOnlyInside(
  workspace: FileWorkspace,
  what: 'file' | 'folder',
  { target, id }: { readonly target: string; readonly id: string },
): Promise<void> {
  const name = what === 'file' ? '/pet.md' : '';
  await using slow = slowServer(workspace);
  const fast = workspace.server();
  await using swapper = new Swapper(
    what,
    workspace.file(target),
    workspace.file(`kept${name}`),
    path.join(workspace.home, `outside${name}`),
  );
  await swapper.started();
  for (const server of [new KnowledgeServer(fast), new KnowledgeServer(slow)]) {
    const before = swapper.swaps;
    // Until it was there to be read: of a folder every step to the file would have to be.
    for (let isRead = false; !isRead; ) {
      const { answers, inside, outside } = await readOften(server, id);
      expect(outside).toBe(0);
      expect(answers).toBe(ROUNDS * AT_ONCE * WAYS_TO_ASK);
      isRead = what === 'folder' || inside > 0;
    }
    expect(swapper.swaps - before).toBeGreaterThan(ROUNDS * AT_ONCE);
    expect(await server.found('badger')).toEqual(['guide/stays']);
  }
}

test(`${cites('T11')} a file that is exchanged for a link out, and back, is only read when it is inside`, async () => {
  await using workspace = swapped('pet.md');
  await expectOnlyInside(workspace, 'file', { target: `${KNOWLEDGE}/pet.md`, id: 'pet' });
});

test(`${cites('T11')} a folder that is exchanged for a link out, and back, is only read when it is inside`, async () => {
  await using workspace = swapped('pet.md', 'more/secret.md');
  await expectOnlyInside(workspace, 'folder', { target: `${KNOWLEDGE}/zoo`, id: 'zoo/pet' });
});

test(`${cites('T11')} nor is the folder of all knowledge read when it leads out`, async () => {
  await using workspace = swapped('pet.md', 'stays.md');
  workspace.remove(KNOWLEDGE);
  workspace.write('docs/stays.md', pageAbout('badger'));
  workspace.write('.baton/config.yaml', 'knowledge: docs\n');
  await expectOnlyInside(workspace, 'folder', { target: KNOWLEDGE, id: 'pet' });
});
