import type { Command } from '../../command.ts';
import { organizeImports } from './organize-imports.ts';
import { renameFile } from './rename-file.ts';
import { renameSymbol } from './rename-symbol.ts';
import { settingGet, settingSet } from './setting.ts';

export const editorCommands: readonly Command[] = [
  renameFile,
  renameSymbol,
  organizeImports,
  settingGet,
  settingSet,
];
