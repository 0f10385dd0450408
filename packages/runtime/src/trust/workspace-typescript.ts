import path from 'node:path';
import type { CommandFile } from '@baton/core';

/** The TypeScript that a workspace has installed: a program that comes with it. */
export const typeScriptCommands: CommandFile = {
  reads: (file) => file === 'node_modules/typescript/package.json',
  async find(_, __, workspace) {
    const { findTypeScript, typeScriptSource } = await import('@baton/editor/work');
    const found = findTypeScript(path.join(workspace, 'package.json'));
    return { commands: found ? (await typeScriptSource(workspace, found)).commands : [] };
  },
};
