import path from 'node:path';
import { temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';
import { loadConfig } from '../src/config.ts';

test.each([
  [undefined, true],
  ['true', true],
  ['off', false],
])('whether the machine is kept awake, with BATON_KEEP_AWAKE=%s', async (value, expected) => {
  using folder = temporaryFolder();
  const { keepAwake } = await loadConfig({
    flags: {},
    env: { BATON_KEEP_AWAKE: value },
    workspace: folder.path,
    userFile: path.join(folder.path, 'config.yaml'),
  });
  expect(keepAwake).toBe(expected);
});
