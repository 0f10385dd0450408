import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { dropRefs, keepRef, readRef, setRef } from '../src/index.ts';
import { type Sandbox, sandbox } from './sandbox.ts';

async function prepared(box: Sandbox) {
  const repo = await box.repository();
  const one = box.git(repo.root, 'rev-parse', 'HEAD');
  const two = box.commit(repo.root, { 'b.txt': '1' });
  return { repo, one, two };
}

test('refs are kept, read and dropped, packed ones too', async () => {
  using box = sandbox();
  const { repo, one, two } = await prepared(box);
  const mine = (name: string) => `refs/baton/p1/${name}`;
  expect(await readRef(repo, mine('a'), box.call)).toBeUndefined();
  await keepRef(repo, mine('a'), one, box.call);
  await keepRef(repo, mine('a'), two, box.call);
  await keepRef(repo, mine('b/c'), one, box.call);
  await keepRef(repo, 'refs/baton/p10/a', one, box.call);
  expect(await readRef(repo, mine('a'), box.call)).toBe(two);
  // A folder of refs is no ref.
  expect(await readRef(repo, mine('b'), box.call)).toBeUndefined();
  box.git(repo.root, 'pack-refs', '--all');
  await dropRefs(repo, 'refs/baton/p1/', box.call);
  await dropRefs(repo, 'refs/baton/p1/', box.call);
  expect(box.git(repo.root, 'for-each-ref', '--format=%(refname)')).toBe(
    'refs/baton/p10/a\nrefs/heads/main',
  );
});

test.each([
  'refs/heads/',
  'refs/tags/',
  'refs/remotes/origin/',
  'refs/baton/',
  'refs/baton/x',
  'refs/',
])('refs of others are not dropped: %s', async (prefix) => {
  using box = sandbox();
  const { repo } = await prepared(box);
  await expect(dropRefs(repo, prefix, box.call)).rejects.toMatchObject({
    code: 'revision_invalid',
  });
});

test('a ref is only changed from what it should be', async () => {
  using box = sandbox();
  const { repo, one, two } = await prepared(box);
  const ref = 'refs/heads/side';
  expect(await setRef(repo, { ref, to: one, from: two }, box.call)).toBe(false);
  expect(await setRef(repo, { ref, to: one, from: undefined }, box.call)).toBe(true);
  expect(await setRef(repo, { ref, to: two, from: undefined }, box.call)).toBe(false);
  expect(await readRef(repo, ref, box.call)).toBe(one);
  expect(await setRef(repo, { ref, to: two, from: one }, box.call)).toBe(true);
  // Somebody commits meanwhile.
  box.git(repo.root, 'checkout', '-q', 'side');
  const three = box.commit(repo.root, { 'c.txt': '1' });
  expect(await setRef(repo, { ref, to: one, from: two }, box.call)).toBe(false);
  expect(await readRef(repo, ref, box.call)).toBe(three);
});

test('of many changes at once, one wins', async () => {
  using box = sandbox();
  const { repo, one, two } = await prepared(box);
  const ref = 'refs/baton/p/race';
  await keepRef(repo, ref, one, box.call);
  const changes = Array.from({ length: 8 }, () =>
    setRef(repo, { ref, to: two, from: one }, box.call),
  );
  expect((await Promise.all(changes)).filter(Boolean)).toHaveLength(1);
});

test('a lock that stays, a commit that is unknown, and a ref in the way are failures', async () => {
  using box = sandbox();
  const { repo, one, two } = await prepared(box);
  const failure = { code: 'git_failed' };
  writeFileSync(path.join(repo.gitDir, 'refs/heads/main.lock'), '');
  await expect(
    setRef(repo, { ref: 'refs/heads/main', to: one, from: two }, box.call),
  ).rejects.toMatchObject({ ...failure, next: expect.stringContaining('lock file') });
  await expect(
    setRef(repo, { ref: 'refs/heads/main/x', to: one, from: undefined }, box.call),
  ).rejects.toMatchObject(failure);
  await expect(keepRef(repo, 'refs/baton/p/x', 'f'.repeat(40), box.call)).rejects.toMatchObject(
    failure,
  );
});
