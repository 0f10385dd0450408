import { spawn } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isBranchName, isRevision } from '../src/index.ts';

describe('a revision', () => {
  test.each(['main', 'HEAD', 'origin/x', 'v1.0', 'a'.repeat(40), 'feature/ä-1', 'a.b', '@', '🦊'])(
    '%s may name one',
    (name) => expect(isRevision(name)).toBe(true),
  );

  test.each([
    '',
    '-x',
    '--output=C',
    '--upload-pack=touch C',
    'a..b',
    'main@{1}',
    'a b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[',
    'a\\b',
    'a\nb',
    'a\0b',
    'a\u007fb',
    '\ud800',
    'a'.repeat(256),
  ])('%j does not', (name) => expect(isRevision(name)).toBe(false));
});

describe('a branch name', () => {
  test.each(['-x', 'HEAD', 'refs/heads/x', '@', ''])('is not %j', (name) => {
    expect(isBranchName(name)).toBe(false);
  });

  test('is otherwise what git accepts', async () => {
    const part = fc.constantFrom('a', 'B', '.', '..', '/', '@', '{', '@{', '.lock', '-', '~', ' ');
    const odd = fc.constantFrom(
      '\\',
      '^',
      ':',
      '?',
      '*',
      '[',
      '\t',
      '\u007f',
      'é',
      '🦊',
      'HEAD',
      '0',
    );
    const name = fc
      .array(fc.oneof({ weight: 4, arbitrary: part }, odd), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.join(''))
      .filter((each) => !each.startsWith('-') && !['HEAD', '@'].includes(each));
    const names = fc.sample(name, { numRuns: 300 });
    const byGit = await inBatches(names, acceptedByGit);
    const ours = names.map((each) => [each, isBranchName(each)]);
    expect(ours).toEqual(names.map((each, at) => [each, byGit[at]]));
    expect(byGit).toContain(true);
  });
});

function acceptedByGit(name: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    spawn('git', ['check-ref-format', `refs/heads/${name}`], { stdio: 'ignore' })
      .once('error', reject)
      .once('exit', (code) => resolve(code === 0));
  });
}

async function inBatches<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += 20) {
    results.push(...(await Promise.all(items.slice(at, at + 20).map(work))));
  }
  return results;
}
