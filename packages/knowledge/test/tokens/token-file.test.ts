import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';
import { bundle } from '../../../../scripts/bundle.mjs';
import { TokenCounter, tokenFile } from '../tokens-under-test.ts';

const sources = path.resolve(import.meta.dirname, '../../src/tokens');

const loading = (file: string) => () => TokenCounter.load(file);

test('a file that is missing is told of, with what to do', () => {
  using folder = temporaryFolder();
  expect(loading(path.join(folder.path, 'o200k.bin'))).toThrow(
    expect.objectContaining({
      code: 'token_data_missing',
      message: expect.stringContaining('ENOENT'),
      next: expect.stringContaining('Install Baton again'),
    }),
  );
});

test.each<[string, (file: string) => void]>([
  ['empty', (file) => truncateSync(file)],
  ['cut off', (file) => truncateSync(file, 1_000_000)],
  ['cut off within its digest', (file) => truncateSync(file, 20)],
  ['of another version', (file) => writeFileSync(file, Buffer.alloc(2_000_000, 1))],
  [
    'changed by one bit',
    (file) => {
      const content = readFileSync(file);
      content.writeUInt8(content.readUInt8(1_234_567) ^ 1, 1_234_567);
      writeFileSync(file, content);
    },
  ],
])('a file that is %s is refused', (_, damage) => {
  using folder = temporaryFolder();
  const file = path.join(folder.path, 'o200k.bin');
  cpSync(tokenFile(), file);
  expect(loading(file)().count('hello world')).toBe(2);
  damage(file);
  expect(loading(file)).toThrow(
    expect.objectContaining({
      code: 'token_data_missing',
      message: expect.stringContaining('damaged'),
    }),
  );
});

test('a program finds the file beside itself, and nowhere else', async () => {
  using folder = temporaryFolder();
  const entry = path.join(folder.path, 'entry.mjs');
  const program = path.join(folder.path, 'built', 'program.mjs');
  const load = (name: string) => `await import(${JSON.stringify(path.join(sources, name))})`;
  writeFileSync(
    entry,
    `async function main() {
      const { TokenCounter, tokenFile } = ${load('token-counter.ts')};
      return TokenCounter.load(tokenFile()).count('hello world');
    }
    main().catch(({ code }) => code).then((said) => process.stdout.write(String(said)));`,
  );
  await bundle(entry, program);
  const run = () => execFileSync(process.execPath, [program], { encoding: 'utf8' });
  expect(run()).toBe('2');
  rmSync(path.join(folder.path, 'built/knowledge'), { recursive: true });
  expect(run()).toBe('token_data_missing');
});
