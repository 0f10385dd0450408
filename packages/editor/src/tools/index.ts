import { organizeImports } from './organize-imports.ts';
import { renameFile } from './rename-file.ts';
import { renameSymbol } from './rename-symbol.ts';
import { settingGet } from './setting-get.ts';
import { settingSet } from './setting-set.ts';

export const editorTools = [organizeImports, renameFile, renameSymbol, settingGet, settingSet];
