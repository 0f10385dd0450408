import { expect, test } from 'vitest';
import { userSettingsFile } from '../settings-under-test.ts';

test.each([
  ['linux', '/h', '/h/.config/Code/User/settings.json'],
  ['freebsd', '/h', '/h/.config/Code/User/settings.json'],
  ['darwin', '/h', '/h/Library/Application Support/Code/User/settings.json'],
  ['win32', 'C:\\Users\\eve', 'C:\\Users\\eve\\AppData\\Roaming\\Code\\User\\settings.json'],
] as const)('the settings of the user on %s are below %s in %s', (platform, home, file) => {
  expect(userSettingsFile(home, platform)).toBe(file);
});
