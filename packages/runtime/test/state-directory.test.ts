import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { expect, test } from 'vitest';
import { homeDirectory } from '../src/state-directory.ts';

const withoutAccount = () => {
  throw new Error('uv_os_homedir returned ENOENT');
};

test(`${cites('T39')} the home directory is that of the environment, or else of the account`, () => {
  const account = () => '/home/ann';
  expect(homeDirectory([() => '/elsewhere', account])).toBe('/elsewhere');
  // A relative one would be another one in each folder.
  for (const odd of ['', '.', 'home/ann', '~'])
    expect(homeDirectory([() => odd, account])).toBe('/home/ann');
  expect(homeDirectory([withoutAccount, account])).toBe('/home/ann');
  expect(path.isAbsolute(homeDirectory())).toBe(true);
});

test(`${cites('T39')} without any, a person is told what to set`, () => {
  for (const sources of [
    [withoutAccount, withoutAccount],
    [() => '', withoutAccount],
  ]) {
    expect(() => homeDirectory(sources)).toThrow(
      expect.objectContaining({ code: 'home_missing', next: expect.stringContaining('absolute') }),
    );
  }
});
