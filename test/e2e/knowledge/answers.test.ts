import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FileWorkspace, fileWorkspace } from '../file-workspace.ts';
import { cites } from '../requirements.ts';
import type { AnyResult, Peer } from '../ways.ts';
import { nearestWay, workspaceWays } from '../workspace-ways.ts';
import { countTokens, idsOf, MODES, pagesOf, result, search, tokensOf } from './asking.ts';
import { TEAM_FILES } from './collection.ts';

let workspace: FileWorkspace;
beforeAll(() => {
  workspace = fileWorkspace(TEAM_FILES);
});
afterAll(() => workspace[Symbol.asyncDispose]());

describe.each(workspaceWays)('answers over $name', ({ open }) => {
  let peer: Peer;
  beforeAll(async () => {
    peer = await open(workspace);
  });
  afterAll(() => peer.close());

  test(`${cites('KNOWLEDGE-MODES', 'TOOLS-CALL')} each mode tells as much as it promises`, async () => {
    const [index, catalog, full] = await Promise.all(
      MODES.map(async (mode) => (await search(peer, 'api', { mode })).pieces),
    );
    const ids = index.map(({ id }: AnyResult) => id);
    expect(ids.toSorted()).toEqual([
      'example/webhook-signature',
      'pattern/retry-with-backoff',
      'skill/cursor-paging',
    ]);
    const head = ['id', 'title', 'tokens', 'score'];
    for (const piece of index) {
      expect(Object.keys(piece)).toEqual(head);
      expect(countTokens(JSON.stringify(piece))).toBeLessThanOrEqual(25);
    }
    expect(catalog.map(({ id }: AnyResult) => id)).toEqual(ids);
    expect(catalog.find(({ id }: AnyResult) => id === 'skill/cursor-paging')).toEqual({
      id: 'skill/cursor-paging',
      title: 'Cursor paging',
      tokens: expect.any(Number),
      score: expect.any(Number),
      description: expect.stringMatching(/^Adds cursor pagination to a REST endpoint\./),
      why: expect.stringContaining('api'),
      from: '.baton/knowledge/skills/cursor-paging/SKILL.md',
    });
    expect(full.map(({ id }: AnyResult) => id)).toEqual(ids);
    for (const { text, tokens, isPart, from } of full) {
      expect(text).toMatch(/^# /);
      expect(isPart).toBeUndefined();
      expect(from).toMatch(/^\.baton\/knowledge\/.+\.md$/);
      // The front matter is not in it, nor counted, nor believed: one of them says 10.
      expect(Math.abs(tokens - countTokens(text))).toBeLessThanOrEqual(1);
    }
  });

  test(`${cites('KNOWLEDGE-MODES')} what does not fit as a whole is given by its best sections`, async () => {
    const more = { mode: 'full', maxTokens: 500 };
    const { pieces } = await search(peer, 'roll back a schema migration', more);
    expect(pieces[0]).toMatchObject({ id: 'guide/migrations', isPart: true });
    expect(pieces[0].text).toContain('## Rolling back\n\nA rollback drops nothing');
    expect(pieces[0].text).toContain('[…]');
    expect(pieces[0].text).not.toContain('of renaming columns');
    expect(pieces[0].text).not.toContain('of locks and timeouts');
    const other = await search(peer, 'lock_timeout in a schema migration', more);
    expect(other.pieces[0].text).toContain('## Locks and timeouts\n\nSet lock_timeout');
    expect(other.pieces[0].text).not.toContain('of rolling back');
    const whole = await search(peer, 'schema migrations', { mode: 'full', maxTokens: 5000 });
    expect(whole.pieces[0]).not.toHaveProperty('isPart');
    expect(whole.pieces[0].text).toBe(
      TEAM_FILES['.baton/knowledge/guides/migrations.md']?.split('---\n')[2]?.trim(),
    );
  });

  test(`${cites('KNOWLEDGE-BUDGET')} no answer costs more than it may, as text or as data`, async () => {
    const queries = ['api', 'schema migrations', 'k8s', 'sourdough bread', 'code of the team'];
    for (const query of queries) {
      for (const mode of MODES) {
        for (const maxTokens of [100, 150, 300, 800, 3200]) {
          const found = await result(peer, { query, mode, maxTokens });
          const cost = tokensOf(found);
          expect(cost, `${query}, ${mode}, ${maxTokens}`).toBeLessThanOrEqual(maxTokens);
          // What an answer says about itself can be relied on.
          expect(cost).toBeLessThanOrEqual(found.structuredContent.tokens);
          expect(found.structuredContent.tokens).toBeLessThanOrEqual(maxTokens);
        }
      }
    }
  });

  test(`${cites('KNOWLEDGE-BUDGET')} a budget is used well where there is enough to fill it`, async () => {
    for (const maxTokens of [400, 700, 1300, 1900]) {
      const query = 'rename columns, roll back, locks in schema migrations';
      const found = await result(peer, { query, mode: 'full', maxTokens });
      expect(found.structuredContent.pieces[0]).toMatchObject({ isPart: true });
      expect(tokensOf(found), `of ${maxTokens}`).toBeGreaterThanOrEqual(maxTokens * 0.8);
    }
  });

  test(`${cites('KNOWLEDGE-PAGES')} a cursor belongs to its request`, async () => {
    const { cursor } = await search(peer, 'api', { maxResults: 1 });
    const forged = Buffer.from('1:000000000000').toString('base64url');
    for (const wrong of [
      { query: 'rest', maxResults: 1, cursor },
      { query: 'api', maxResults: 1, cursor: forged },
      { query: 'api', maxResults: 1, cursor: 'nonsense' },
    ]) {
      const { isError, structuredContent } = await result(peer, wrong);
      expect(isError).toBe(true);
      expect(structuredContent).toMatchObject({
        code: 'bad_cursor',
        next: expect.stringContaining('leave the cursor out'),
      });
    }
  });
});

describe('pages of an answer', () => {
  const TOPIC = 'deploying services';
  const names = Array.from({ length: 23 }, (_, index) => `service-${index}`);
  const fileOf = (name: string) => `.baton/knowledge/guides/${name}.md`;
  const files = Object.fromEntries(
    names.map((name) => [
      fileOf(name),
      `---\ndescription: Deploying ${name}, in a few words.\n---\n# Deploying ${name}\n\nDeploying services like ${name} needs two people.\n`,
    ]),
  );
  const keys = names.map((name) => `guide/${name}`).toSorted();

  test.each([
    ['so many at a time', { mode: 'index', maxResults: 5 }],
    ['as many as fit, in an index', { mode: 'index', maxTokens: 150, maxResults: 50 }],
    ['as many as fit, in a catalog', { mode: 'catalog', maxTokens: 300, maxResults: 50 }],
    ['as many as fit, with contents', { mode: 'full', maxTokens: 300, maxResults: 50 }],
    ['both', { mode: 'full', maxTokens: 400, maxResults: 4 }],
  ])(`${cites('KNOWLEDGE-PAGES')} have every piece once: %s`, async (_, more) => {
    await using many = fileWorkspace(files);
    await using peer = await nearestWay.open(many);
    const pages = await pagesOf(peer, TOPIC, more);
    expect(pages.length).toBeGreaterThan(3);
    const ids = pages.flatMap(({ pieces }) => pieces.map(({ id }) => id));
    expect(ids.toSorted()).toEqual(keys);
    expect(ids).toEqual(await idsOf(peer, TOPIC, { maxResults: 50 }));
    expect(pages.every(({ pieces }) => pieces.length > 0)).toBe(true);
  });

  test(`${cites('KNOWLEDGE-PAGES', 'KNOWLEDGE-BUDGET')} lose and repeat nothing beside a piece that cannot be cut up`, async () => {
    const line = `Deploying services is a matter of patience. ${'Patience is all. '.repeat(500)}`;
    const long = `---\ntitle: Deploying services\ndescription: Deploying services.\n---\n${line}\n`;
    await using many = fileWorkspace({ ...files, [fileOf('patience')]: long });
    await using peer = await nearestWay.open(many);
    const more = { mode: 'full', maxTokens: 400, maxResults: 50 };
    const pages = await pagesOf(peer, TOPIC, more);
    const ids = pages.flatMap(({ pieces }) => pieces.map(({ id }) => id));
    expect(ids.filter((id) => id !== 'guide/patience').toSorted()).toEqual(keys);
  });
});
