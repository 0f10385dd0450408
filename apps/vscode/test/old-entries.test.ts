import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { temporaryFolder } from '@baton/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { messageText } from '../src/message-text.ts';
import { oldEntries, oldEntriesIn } from '../src/old-entries.ts';

describe('an entry of the time before tokens', () => {
  test.each([
    'http://localhost:39219/mcp',
    'http://127.0.0.1:39219',
    'HTTP://LOCALHOST:39219/mcp',
    'http://[::1]:39219/mcp',
  ])('%s is found, in either kind of file', (url) => {
    expect(oldEntries(JSON.stringify({ servers: { old: { type: 'http', url } } }))).toEqual([
      'old',
    ]);
    expect(oldEntries(JSON.stringify({ mcpServers: { old: { url } } }))).toEqual(['old']);
  });

  test('comments and trailing commas are no obstacle', () => {
    const text = `{
      // The server of the orchestrator
      "servers": { "copilot-orchestrator": { "url": "http://localhost:39219/mcp", }, },
    }`;
    expect(oldEntries(text)).toEqual(['copilot-orchestrator']);
  });

  test.each([
    { url: 'http://localhost:39219/mcp', headers: { authorization: 'Bearer x' } },
    { url: 'http://localhost:39220/mcp' },
    { url: 'http://localhost:392190/mcp' },
    { url: 'http://example.com:39219/mcp' },
    { command: 'node', args: ['http://localhost:39219/mcp'] },
  ])('%j is another matter', (entry) => {
    expect(oldEntries(JSON.stringify({ servers: { baton: entry } }))).toEqual([]);
  });

  test('whatever else a file holds, nothing is found and nothing breaks', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      fc.anything().map((value) => String(JSON.stringify({ servers: value }))),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(oldEntries(text)).toEqual([]);
      }),
    );
  });
});

test(`${cites('T6')} a file that is a pipe, a folder, missing or huge is left alone`, async () => {
  using place = temporaryFolder();
  const at = (name: string) => path.join(place.path, name);
  const old = JSON.stringify({ servers: { old: { url: 'http://localhost:39219' } } });
  writeFileSync(at('good'), old);
  writeFileSync(at('huge'), old.padEnd(2 * 1024 * 1024));
  mkdirSync(at('folder'));
  execFileSync('mkfifo', [at('pipe')]);
  expect(await oldEntriesIn(at('good'))).toEqual(['old']);
  for (const name of ['huge', 'folder', 'pipe', 'missing']) {
    expect(await oldEntriesIn(at(name))).toEqual([]);
  }
});

test(`${cites('T6', 'T29')} a name from outside brings no link and no line into a message`, () => {
  expect(messageText('[Update](command:evil.run)\n\u001b[2Jx')).toBe(
    '[Update] (command:evil.run)\\n\\u001b[2Jx',
  );
});
