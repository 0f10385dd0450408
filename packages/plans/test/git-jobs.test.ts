import { describe, expect, test } from 'vitest';
import { arrangeForGit } from '../src/git-jobs.ts';
import type { StoredJob } from '../src/stored-job.ts';

function job(id: string, more: Partial<StoredJob> = {}): StoredJob {
  return { id, work: { type: 'shell', command: id }, ...more };
}

function needsOf(jobs: readonly StoredJob[]): Record<string, readonly string[]> {
  return Object.fromEntries(jobs.map(({ id, needs = [] }) => [id, needs]));
}

describe('the jobs of a plan with git', () => {
  test('end with one that lands what nothing else goes on with', () => {
    const arranged = arrangeForGit(
      [job('top'), job('left', { needs: ['top'] }), job('right', { needs: ['top'] })],
      { target: 'next', verify: ['npm test'] },
    );
    expect(needsOf(arranged)).toMatchObject({ land: ['left', 'right'] });
    expect(arranged.at(-1)).toMatchObject({
      work: { type: 'land', target: 'next' },
      checks: ['npm test'],
    });
  });

  test('land in each repository, one after the other, when everything is done', () => {
    const arranged = arrangeForGit(
      [
        job('api', { repository: 'api' }),
        job('web', { needs: ['api'] }),
        job('ask', { needs: ['web'], work: { type: 'ticket', title: 'fine?' } }),
      ],
      {},
    );
    expect(needsOf(arranged)).toMatchObject({
      land: ['api', 'ask'],
      'land-2': ['web', 'ask', 'land'],
    });
    expect(arranged.find(({ id }) => id === 'land')).toMatchObject({ repository: 'api' });
  });

  test('are kept apart where they touch the same, unless they are already', () => {
    const arranged = arrangeForGit(
      [
        job('one', { touches: ['src/**'] }),
        job('two', { touches: ['src/a.ts', 'docs'] }),
        job('three', { touches: ['src/b.ts'], needs: ['two'] }),
        job('four', { touches: ['test'] }),
        job('other', { touches: ['src/**'], repository: 'api' }),
      ],
      {},
    );
    expect(needsOf(arranged)).toMatchObject({ two: ['one'], three: ['two'], other: [] });
    expect(needsOf(arranged)['four']).toEqual([]);
    expect(arranged.find(({ id }) => id === 'two')).toMatchObject({ apart: ['one'] });
  });

  test('are the same when they are arranged again', () => {
    const once = arrangeForGit(
      [job('one', { touches: ['a'] }), job('two', { touches: ['a'] }), job('three')],
      { target: 'next' },
    );
    expect(needsOf(arrangeForGit(once, { target: 'next' }))).toEqual(needsOf(once));
  });

  test('cannot have the ids of those that land', () => {
    expect(() => arrangeForGit([job('land-3')], {})).toThrow(/land-3/);
  });
});
