export type { Change, Changing } from '../src/edits/changing.ts';
export { byFile } from '../src/headless/by-file.ts';
export { FollowedChanges } from '../src/headless/followed-changes.ts';
export { HeadlessLanguage } from '../src/headless/headless-language.ts';
export { importPlaces, moduleRename } from '../src/headless/python-modules.ts';
export { Workbench } from '../src/headless/workbench.ts';
export { findTypeScript, typeScriptServer } from '../src/lsp/typescript-server.ts';
export { WorkspaceTree } from '../src/tree/workspace-tree.ts';
