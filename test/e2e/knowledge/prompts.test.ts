import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type FileWorkspace, fileWorkspace } from '../file-workspace.ts';
import { cites } from '../requirements.ts';
import type { AnyResult, Peer, Way } from '../ways.ts';
import { hearingWays, workspaceWays } from '../workspace-ways.ts';
import { complete } from './asking.ts';

const REVIEW = '.baton/prompts/review.md';

const FILES = {
  [REVIEW]: `---
title: Review
description: Reviews a file.
arguments:
  - name: file
    description: The file to look at
    required: true
  - name: focus
    description: What matters most
    default: everything
    values: [safety, speed, style]
---
Review {{file}} for {{ focus }}; {{file}} is small. Leave {{unknown}}, {{ and $& alone.
`,
  '.baton/prompts/team/daily.md': 'Say what you did yesterday.\n',
  '.baton/prompts/fix.md': '# Fix an issue\n\nFind and fix $ARGUMENTS, nothing else.\n',
  '.baton/knowledge/workflows/release.md': `---
description: Publishes a version.
arguments: [version]
---
Tag {{version}} and publish.
`,
  '.baton/knowledge/guides/no-prompt.md': '# A guide\n\nIt is about {{version}}.\n',
};

const listed = async (peer: Peer): Promise<AnyResult[]> =>
  (await peer.request('prompts/list')).prompts;

const namesOf = async (peer: Peer) => (await listed(peer)).map(({ name }) => name);

async function textOf(peer: Peer, name: string, args: object = {}): Promise<string> {
  const { messages } = await peer.request('prompts/get', { name, arguments: args });
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatchObject({ role: 'user', content: { type: 'text' } });
  return messages[0].content.text;
}

describe.each(workspaceWays)('prompts of files over $name', ({ open }) => {
  let [workspace, peer] = [] as unknown as [FileWorkspace, Peer];
  beforeAll(async () => {
    workspace = fileWorkspace(FILES);
    peer = await open(workspace);
  });
  afterAll(async () => {
    await peer.close();
    await workspace[Symbol.asyncDispose]();
  });

  test(`${cites('KNOWLEDGE-PROMPTS', 'PROMPTS-LIST')} are listed with their arguments`, async () => {
    const prompts = await listed(peer);
    expect(prompts.map(({ name }) => name).toSorted()).toEqual([
      'fix',
      'release',
      'review',
      'team-daily',
    ]);
    const named = (name: string) => prompts.find((one) => one.name === name);
    expect(named('review')).toEqual({
      name: 'review',
      title: 'Review',
      description: 'Reviews a file.',
      arguments: [
        { name: 'file', description: 'The file to look at', required: true },
        {
          name: 'focus',
          description: 'What matters most (one of safety, speed, style; default: everything)',
          required: false,
        },
      ],
    });
    expect(named('fix')).toMatchObject({ title: 'Fix an issue', arguments: [{ required: false }] });
    expect(named('release')).toMatchObject({
      description: 'Publishes a version.',
      arguments: [{ name: 'version', required: false }],
    });
    expect(named('team-daily')).toMatchObject({ arguments: [] });
  });

  test(`${cites('KNOWLEDGE-PROMPTS', 'PROMPTS-GET')} are filled in, with defaults`, async () => {
    const rest = 'Leave {{unknown}}, {{ and $& alone.';
    expect((await textOf(peer, 'review', { file: 'a.ts', focus: 'speed' })).trim()).toBe(
      `Review a.ts for speed; a.ts is small. ${rest}`,
    );
    expect((await textOf(peer, 'review', { file: 'a.ts' })).trim()).toBe(
      `Review a.ts for everything; a.ts is small. ${rest}`,
    );
    expect((await textOf(peer, 'fix', { arguments: 'issue 7' })).trim()).toMatch(
      /Find and fix issue 7, nothing else\.$/,
    );
    expect((await textOf(peer, 'release', { version: '2.0' })).trim()).toBe('Tag 2.0 and publish.');
    expect((await textOf(peer, 'release')).trim()).toBe('Tag  and publish.');
    expect((await textOf(peer, 'team-daily')).trim()).toBe('Say what you did yesterday.');
  });

  test.each(['$&', '$1', '$`', "$'", '$$', '$ARGUMENTS', '{{focus}}', '{{file}}', '{{', '\\u0041'])(
    `${cites('KNOWLEDGE-PROMPTS', 'PROMPTS-GET')} take any text as it is: %s`,
    async (file) => {
      expect((await textOf(peer, 'review', { file, focus: '{{file}}' })).trim()).toBe(
        `Review ${file} for {{file}}; ${file} is small. Leave {{unknown}}, {{ and $& alone.`,
      );
      expect((await textOf(peer, 'fix', { arguments: file })).trim()).toContain(
        `Find and fix ${file}, nothing else.`,
      );
    },
  );

  test.each([
    [{ name: 'reviev', arguments: {} }, 'Did you mean review?'],
    [{ name: 'no-prompt', arguments: {} }, 'There is no prompt "no-prompt"'],
    [{ name: 'review', arguments: {} }, 'argument "file" is missing'],
    [{ name: 'review', arguments: { file: 'a', depth: '1' } }, 'unknown argument "depth"'],
    [{ name: 'review', arguments: { focus: 'x' } }, 'It takes: file, focus.'],
    [{ name: 'team-daily', arguments: { x: '1' } }, 'It takes no arguments.'],
    [{ name: 'review', arguments: { file: 5 } }, 'params.arguments.file'],
  ])(`${cites('KNOWLEDGE-PROMPTS', 'PROMPTS-INVALID')} refused: %j`, async (params, words) => {
    await expect(peer.request('prompts/get', params)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(words),
    });
  });

  test(`${cites('KNOWLEDGE-PROMPTS', 'COMPLETION')} have their arguments completed`, async () => {
    const ref = { type: 'ref/prompt', name: 'review' };
    expect(await complete(peer, ref, 'focus', '')).toEqual(['safety', 'speed', 'style']);
    expect(await complete(peer, ref, 'focus', 'SP')).toEqual(['speed']);
    expect(await complete(peer, ref, 'focus', 'x')).toEqual([]);
    expect(await complete(peer, ref, 'file', '')).toEqual([]);
    expect(await complete(peer, ref, 'unknown', '')).toEqual([]);
  });
});

function announcements({ notifications }: Peer): number {
  return notifications.filter(({ method }) => method === 'notifications/prompts/list_changed')
    .length;
}

/** Each of these changes is told once: neither forgotten nor told again. */
async function expectToHear(peer: Peer, change: () => void): Promise<void> {
  const before = announcements(peer);
  change();
  await expect.poll(() => announcements(peer), { timeout: 30_000 }).toBe(before + 1);
}

/**
 * Returns when what is announced reaches the client: in the old era its stream opens by itself,
 * and another kind of news shows that it has.
 */
async function listen(peer: Peer, era: Way['era']): Promise<void> {
  if (era === 'modern') {
    await peer.listen({ promptsListChanged: true });
    return;
  }
  const call = (name: string, args: object) =>
    peer.request('tools/call', { name, arguments: args });
  await call('ticket_create', { title: 'Heard' });
  await peer.request('resources/subscribe', { uri: 'baton://ticket/T-1' });
  const isHearing = async () => {
    await call('ticket_update', { id: 'T-1', note: 'Heard?' });
    return peer.notifications.length > 0;
  };
  await vi.waitUntil(isHearing, { timeout: 30_000 });
}

/** All at once, as editors do it: nobody sees half of a file. */
function replace(workspace: FileWorkspace, name: string, content: string): void {
  const file = workspace.file(name);
  const next = path.join(path.dirname(file), '.next');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(next, content);
  renameSync(next, file);
}

describe.each(hearingWays)('changes of prompts over $name', ({ open, era }) => {
  test(`${cites('KNOWLEDGE-PROMPTS', 'KNOWLEDGE-FRESH', 'LIST-CHANGED')} are heard, each once`, async () => {
    await using workspace = fileWorkspace(FILES);
    await using peer = await open(workspace);
    await listen(peer, era);
    const names = await namesOf(peer);
    await expectToHear(peer, () =>
      replace(workspace, '.baton/prompts/plan.md', '---\ndescription: One.\n---\nPlan {{it}}.\n'),
    );
    expect(await namesOf(peer)).toEqual(expect.arrayContaining([...names, 'plan']));
    await expectToHear(peer, () =>
      replace(
        workspace,
        '.baton/prompts/plan.md',
        '---\ndescription: Two.\narguments: [it]\n---\nPlan {{it}} well.\n',
      ),
    );
    expect(await listed(peer)).toContainEqual(
      expect.objectContaining({
        name: 'plan',
        description: 'Two.',
        arguments: [expect.objectContaining({ name: 'it' })],
      }),
    );
    expect((await textOf(peer, 'plan', { it: 'all' })).trim()).toBe('Plan all well.');
    await expectToHear(peer, () => workspace.remove('.baton/prompts/plan.md'));
    expect(await namesOf(peer)).toEqual(names);
    await expect(textOf(peer, 'plan')).rejects.toMatchObject({ code: -32602 });
    // A workflow among the knowledge is a prompt, a guide is none and changes no list.
    replace(workspace, '.baton/knowledge/guides/no-prompt.md', '# Another guide\n');
    await expectToHear(peer, () =>
      replace(workspace, '.baton/knowledge/workflows/deploy.md', 'Deploy it.\n'),
    );
    expect(await namesOf(peer)).toContain('deploy');
    await expectToHear(peer, () =>
      renameSync(workspace.file('.baton/prompts'), workspace.file('.baton/gone')),
    );
    expect((await namesOf(peer)).toSorted()).toEqual(['deploy', 'release']);
  });

  test(`${cites('KNOWLEDGE-PROMPTS', 'LIST-CHANGED')} are heard from the first prompt on`, async () => {
    await using workspace = fileWorkspace({});
    await using peer = await open(workspace);
    await listen(peer, era);
    expect(await namesOf(peer)).toEqual([]);
    await expectToHear(peer, () => replace(workspace, '.baton/prompts/first.md', 'The first.\n'));
    expect(await namesOf(peer)).toEqual(['first']);
    expect((await textOf(peer, 'first')).trim()).toBe('The first.');
  });
});
