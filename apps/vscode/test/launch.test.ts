import { expect, test } from 'vitest';
import { childEnvironment, launchOf } from '../src/launch.ts';

const options = { extension: '/ext', folder: '/w', isTrusted: true };
const link = { path: '/tmp/socket', token: 'secret' };

test('only who is given the way to the window has it in the environment', () => {
  expect(launchOf({ ...options, link }, 'stdio').env).toMatchObject({
    BATON_EDITOR: '/tmp/socket',
    BATON_EDITOR_TOKEN: 'secret',
  });
  expect(Object.keys(launchOf(options).env).join()).not.toContain('BATON_EDITOR');
});

test('the way to another window is not inherited', () => {
  const before = { ...process.env };
  Object.assign(process.env, { BATON_EDITOR: '/other', BATON_EDITOR_TOKEN: 'other' });
  try {
    expect(childEnvironment(launchOf(options))).not.toHaveProperty('BATON_EDITOR');
    expect(childEnvironment(launchOf(options))).not.toHaveProperty('BATON_EDITOR_TOKEN');
    expect(childEnvironment(launchOf({ ...options, link }))).toMatchObject({
      BATON_EDITOR_TOKEN: 'secret',
    });
  } finally {
    process.env = before;
  }
});
