import { realpathSync } from 'node:fs';
import path from 'node:path';
import { BatonError } from '@baton/core';
import { whereLeads } from '@baton/folders';
import { userSettingsFile } from './places.ts';

/** The user's settings.json, where it really is: many keep it elsewhere and link to it. */
export function userSettings(
  home: string,
  platform: NodeJS.Platform,
): { readonly folder: string; readonly file: string } {
  const written = userSettingsFile(home, platform);
  const real = whereLeads(written);
  try {
    return { folder: realpathSync(path.dirname(real)), file: path.basename(real) };
  } catch (cause) {
    throw new BatonError(
      'settings_missing',
      `There is no ${path.dirname(written)}: VS Code has no settings of yours on this machine.`,
      'Use the scope workspace, or start VS Code once.',
      { cause },
    );
  }
}
