import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { requirements } from './requirements.ts';

const root = path.resolve(import.meta.dirname, '../..');

function testFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('node_modules'));
}

test('every requirement is cited by a test', () => {
  const texts = ['apps', 'packages', 'test']
    .flatMap((folder) => testFiles(path.join(root, folder)))
    .map((file) => readFileSync(file, 'utf8'))
    .flatMap((text) => [...text.matchAll(/cites\(([^)]*)\)/g)].map(([, ids]) => ids))
    .join();
  const uncited = Object.keys(requirements).filter((id) => !texts.includes(`'${id}'`));
  expect(uncited).toEqual([]);
});
