// What only those processes need that use the editor's tools: without an editor, or by asking one.
export { DiskChanges } from './disk/disk-changes.ts';
export { FollowedChanges } from './headless/followed-changes.ts';
export { HeadlessLanguage } from './headless/headless-language.ts';
export { InstalledServers, typeScriptSource } from './headless/installed-servers.ts';
export { Workbench } from './headless/workbench.ts';
export { RemoteEditor } from './link/remote-editor.ts';
export { findTypeScript } from './lsp/typescript-server.ts';
export { FileSettings } from './settings/file-settings.ts';
export { userSettings } from './settings/user-settings.ts';
export { WorkspaceTree } from './tree/workspace-tree.ts';
