import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type FileWorkspace, fileWorkspace } from '../file-workspace.ts';
import { fixtureProgram } from '../programs.ts';
import { cites } from '../requirements.ts';
import type { AnyResult, Peer } from '../ways.ts';
import { nearestWay, workspaceWays } from '../workspace-ways.ts';
import { complete, idsOf, MODES, read, result, search } from './asking.ts';
import { TEAM_FILES } from './collection.ts';
import {
  FILES_OF_EVERY_NAME,
  FORBIDDEN_NAMES,
  HOSTILE_FILES,
  ORDER,
  REFUSED_FILES,
  UNESCAPED,
} from './hostile-words.ts';

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [key, ...stringsIn(part)]);
}

/** What a client shows to its model before anything is asked. */
async function surface(peer: Peer): Promise<string> {
  const hash = createHash('sha256').update(peer.instructions() ?? '');
  for (const list of ['tools', 'resources', 'resources/templates']) {
    hash.update(JSON.stringify(await peer.request(`${list}/list`)));
  }
  return hash.digest('hex');
}

/** A peer that remembers everything it was told, errors included. */
function remembering(peer: Peer, told: unknown[]): Peer {
  return {
    ...peer,
    async request(...args) {
      try {
        const answer = await peer.request(...args);
        told.push(answer);
        return answer;
      } catch (error) {
        told.push({ ...(error as object), message: (error as Error).message });
        throw error;
      }
    },
  };
}

/** Every way to see what is in files. */
async function lookAtAll(peer: Peer): Promise<void> {
  const ids = await idsOf(peer, 'deploying', { maxResults: 50 });
  expect(ids).toHaveLength(Object.keys(HOSTILE_FILES).length);
  for (const mode of MODES) {
    await search(peer, 'deploying', { mode, maxTokens: 20_000 });
    await read(peer, `baton://knowledge/match?query=deploying&maxTokens=20000&mode=${mode}`);
  }
  for (const place of ['', '/guide', ...ids.map((id) => `/${id}`)]) {
    await read(peer, `baton://knowledge${encodeURI(place)}`);
  }
  await peer.request('prompts/list');
  for (const args of [{}, { place: 'here' }]) {
    await peer.request('prompts/get', { name: 'hostile', arguments: args });
  }
  await peer.request('prompts/get', { name: 'hostile', arguments: { x: '' } }).catch(() => {});
  await complete(peer, { type: 'ref/prompt', name: 'hostile' }, 'place', '');
  const ref = { type: 'ref/resource', uri: 'baton://knowledge/{kind}/{id}' };
  await complete(peer, ref, 'id', '');
}

describe.each(workspaceWays)('hostile files over $name', ({ open }) => {
  test(`${cites('T14')} change nothing that clients are told before they ask`, async () => {
    await using empty = fileWorkspace({});
    await using hostile = fileWorkspace({ ...HOSTILE_FILES, ...REFUSED_FILES });
    await using peer = await open(empty);
    await using other = await open(hostile);
    const before = await surface(peer);
    expect(await surface(other)).toBe(before);
    await lookAtAll(other);
    expect(await surface(other)).toBe(before);
  });

  test(`${cites('T14', 'T29')} are shown as data, with their origin, and act on no terminal`, async () => {
    await using hostile = fileWorkspace({ ...HOSTILE_FILES, ...REFUSED_FILES });
    await using peer = await open(hostile);
    const told: unknown[] = [];
    await lookAtAll(remembering(peer, told));
    const strings = told.flatMap(stringsIn);
    expect(strings.some((text) => text.includes(ORDER))).toBe(true);
    expect(strings.some((text) => text.includes('\\u001b[2J'))).toBe(true);
    expect(strings.filter((text) => UNESCAPED.test(text))).toEqual([]);
  });

  test(`${cites('T14')} say in every answer whose words these are`, async () => {
    await using hostile = fileWorkspace({ ...HOSTILE_FILES, ...REFUSED_FILES });
    await using peer = await open(hostile);
    for (const mode of MODES) {
      const { content, structuredContent } = await result(peer, { query: 'deploying', mode });
      expect(structuredContent.source).toBe("knowledge files, in their authors' words");
      // Contents say it one by one.
      const origin =
        mode === 'full' ? ', from .baton/' : "knowledge files, in their authors' words";
      expect(content[0].text).toMatch(/^<!-- [^\n]+ -->\n/);
      expect(content[0].text.split('\n')[0]).toContain(origin);
      if (mode === 'index') continue;
      for (const { from } of structuredContent.pieces) {
        expect(from).toMatch(/^\.baton\/(knowledge|prompts)\/[^\n]+\.md$/);
      }
    }
    const uri = 'baton://knowledge/match?query=deploying&maxTokens=20000';
    const { text } = await read(peer, uri);
    const origins = text.split('\n').filter((line: string) => line.startsWith('<!-- '));
    expect(origins).toHaveLength(Object.keys(HOSTILE_FILES).length);
    // Nobody ends the comment before its end.
    for (const line of origins)
      expect(line).toMatch(/^<!-- (?:(?!-->).)+, from (?:(?!-->).)+ -->$/);
  });
});

describe('names that every object has', () => {
  const textIn = ({ result: got }: AnyResult): string => got.messages[0].content.text.trim();

  test(`${cites('T28')} are names like any other, and leave no trace in the server`, async () => {
    await using workspace = fileWorkspace(FILES_OF_EVERY_NAME);
    const server = workspace.server({}, fixtureProgram);
    let lastId = 0;
    const request = (method: string, params: object = {}) =>
      server.request(++lastId, method, params);
    const call = async (name: string, args: object = {}) =>
      (await request('tools/call', { name, arguments: args })).result;
    for (const name of FORBIDDEN_NAMES) {
      const { structuredContent } = await call('knowledge_search', { query: `guide/${name}` });
      expect(structuredContent.pieces[0]).toMatchObject({ id: `guide/${name}`, score: 100 });
      const tagged = await call('knowledge_search', { query: 'rollouts', tags: [name] });
      expect(tagged.structuredContent.pieces.map(({ id }: AnyResult) => id)).toEqual([
        `guide/${name}`,
      ]);
      const { result: got } = await request('resources/read', {
        uri: `baton://knowledge/guide/${name}`,
      });
      expect(got.contents[0].text).toContain(`# Rollouts by ${name}`);
      const prompt = `with-${name.replaceAll('_', '')}`;
      const get = (args: object) => request('prompts/get', { name: prompt, arguments: args });
      const given = await get({ [name]: 'it' });
      const ref = { type: 'ref/prompt', name: prompt };
      const argument = { name, value: '' };
      const completed = await request('completion/complete', { ref, argument });
      const { values } = completed.result.completion;
      if (name === '__proto__') {
        // An argument that most programs cannot pass on is none.
        expect(given.error).toMatchObject({ message: expect.stringContaining('unknown argument') });
        expect(textIn(await get({}))).toBe('Got {{__proto__}}, {{valueOf}}.');
        expect(values).toEqual([]);
      } else {
        expect(textIn(given)).toBe('Got it, {{valueOf}}.');
        expect(textIn(await get({}))).toBe('Got , {{valueOf}}.');
        expect(values).toEqual([`${name}-a`]);
      }
    }
    for (const name of ['valueOf', 'isPrototypeOf', '__defineGetter__']) {
      const { error } = await request('resources/read', { uri: `baton://knowledge/guide/${name}` });
      expect(error).toMatchObject({ code: -32602 });
      const none = await call('knowledge_search', { query: name, kinds: ['skill'], tags: [name] });
      expect(none.structuredContent.pieces).toEqual([]);
    }
    expect((await call('prototypes')).structuredContent).toEqual({ added: [] });
  });
});

const LONG = 10_000;

const QUERIES: readonly [string, string][] = [
  ['a percent sign', '100% of %s and %'],
  ['plus signs', 'c++ + a+b'],
  ['quotes', `"layout" 'shift' \`x\` "`],
  ['SQL', `'; DROP TABLE pieces; -- x" OR "1"="1`],
  ['FTS syntax', 'NEAR(a b) AND * OR col:x ^ -y'],
  ['a hostile pattern', '(a+)+$ (.*a){25} [[[ \\ ** ?{9999}'],
  ['emoji', 'deploy 🚀👩‍👩‍👧‍👦🏳️‍🌈 now'],
  ['NUL and controls', 'a\0b\u001b[2J\u202e'],
  ['half a character', 'deploy \ud83d it'],
  ['__proto__', '__proto__ constructor.prototype'],
  ['a path', '../../../../etc/passwd file:///etc/passwd'],
  ['one long word', 'a'.repeat(LONG)],
  ['many words', 'word '.repeat(LONG / 5)],
  ['many different words', Array.from({ length: 1800 }, (_, i) => `w${i}`).join(' ')],
  ['many signs', `x${'('.repeat(LONG - 1)}`],
  ['many joints', 'a-'.repeat(LONG / 2)],
  ['many humps', 'aB'.repeat(LONG / 2)],
  ['long spaces', `x${' '.repeat(LONG - 2)}y`],
  ['many emoji', `x${'😀'.repeat(LONG / 2 - 1)}`],
];

describe('hostile queries', () => {
  let workspace: FileWorkspace;
  beforeAll(() => {
    workspace = fileWorkspace(TEAM_FILES);
  });
  afterAll(() => workspace[Symbol.asyncDispose]());

  test(`${cites('T26', 'T28', 'STDIO-CONCURRENT')} are answered, and so is what others ask meanwhile`, async () => {
    await using peer = await nearestWay.open(workspace);
    for (const [name, query] of QUERIES) {
      const asked = MODES.map((mode) => result(peer, { query, mode }));
      const status = peer.request('tools/call', { name: 'status', arguments: {} });
      expect((await status).isError, name).toBeFalsy();
      for (const answer of await Promise.all(asked)) {
        expect(answer.isError, name).toBeFalsy();
        expect(answer.structuredContent.pieces, name).toBeInstanceOf(Array);
      }
    }
  });

  test(`${cites('T26', 'KNOWLEDGE-FOUND')} do not keep a piece from being found`, async () => {
    await using peer = await nearestWay.open(workspace);
    for (const query of [
      '"k8s"',
      'k8s%',
      'k8s+',
      "k8s'; --",
      '(k8s)+$',
      'k8s 🚀',
      `k8s ${'! '.repeat(4000)}`,
      `k8s${' '.repeat(LONG - 3)}`,
    ]) {
      expect((await idsOf(peer, query))[0], query.slice(0, 40)).toBe('guide/kubernetes-rollouts');
      const parameters = new URLSearchParams({ query: query.slice(0, 1000), mode: 'index' });
      const { text } = await read(peer, `baton://knowledge/match?${parameters}`);
      expect(text).toMatch(/^- guide\/kubernetes-rollouts: /m);
    }
  });
});

/** Of each, as much as a file may hold: what takes time by the square of it takes an hour. */
const SIZE = 900_000;

const SLOW_FILES: readonly [string, () => string][] = [
  ['spaces in a heading', () => `# Slow${' '.repeat(SIZE)}x\n`],
  ['brackets in a heading', () => `# Slow ${'['.repeat(SIZE)}\n`],
  ['links in a heading', () => `# Slow ${'[]('.repeat(SIZE / 3)}\n`],
  ['spaces in front matter', () => `---\nb: [\na: x${' '.repeat(SIZE)}x\n---\nSlow\n`],
  ['keys in front matter', () => `---\n${lines((i) => `k${i}: ${i}`)}\n---\nSlow\n`],
  ['lines that are no YAML', () => `---\nb: [\na: x\n${lines(() => ' and so on')}\n---\nSlow\n`],
  ['items that are no YAML', () => `---\nb: [\na:\n${lines((i) => `- i${i}`)}\n---\nSlow\n`],
  ['brackets in front matter', () => `---\na: ${'['.repeat(SIZE)}\n---\nSlow\n`],
  ['quotes in front matter', () => `---\na: ${'"'.repeat(SIZE)}\n---\nSlow\n`],
  [
    'marks of a code block',
    () => `# Slow\n\n${'`'.repeat(SIZE / 2)}\n${'`'.repeat(SIZE / 2 - 1)}\n`,
  ],
  ['places of a prompt', () => `# Slow\n\n${'{{ '.repeat(SIZE / 3)}\n`],
  ['blank lines', () => `# Slow\n\n${'\n \t'.repeat(SIZE / 3)}x\n`],
  ['one word', () => `# Slow\n\n${'a'.repeat(SIZE)}\n`],
];

function lines(line: (index: number) => string): string {
  return Array.from({ length: SIZE / 12 }, (_, index) => line(index)).join('\n');
}

describe('a file that is made to be slow', () => {
  test.each(SLOW_FILES)(`${cites('T26')} holds nobody up: %s`, async (_, contents) => {
    const workspace = fileWorkspace({ '.baton/knowledge/workflows/slow.md': contents() });
    // A test that hangs does not get as far as its end.
    onTestFinished(() => workspace[Symbol.asyncDispose]());
    workspace.write('.baton/knowledge/guides/quick.md', '# Quick\n\nA quick text.\n');
    const server = workspace.server();
    const find = { name: 'knowledge_search', arguments: { query: 'quick text', mode: 'full' } };
    const [found, prompts, status] = await Promise.all([
      server.request(1, 'tools/call', find),
      server.request(2, 'prompts/list'),
      server.request(3, 'tools/call', { name: 'status' }),
    ]);
    expect(found.result.structuredContent.pieces[0]).toMatchObject({ id: 'guide/quick' });
    expect(prompts.result.prompts).toBeInstanceOf(Array);
    expect(status.result.isError).toBeFalsy();
  });
});
