import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Ports } from '@baton/core';
import type { EditorPorts } from '@baton/editor';
import type { NamedServers } from '@baton/editor/named-servers';
import { exclusively } from './exclusively.ts';
import { keyOf } from './folder-key.ts';
import { homeDirectory } from './state-directory.ts';
import type { StoreAccess } from './store-access.ts';
import { workspaceServers } from './trust/language-servers.ts';

export interface EditorSettings {
  readonly state: string;
  /** A file of this program: TypeScript is looked for from there. */
  readonly program: string;
  readonly languageServers: NamedServers;
  readonly allowedSettings: readonly string[];
  /** The editor that has started this process. It knows more than language servers and the disk. */
  readonly link?: { readonly path: string; readonly token: string } | undefined;
}

/** Connects the editor's tools with an editor, or with language servers and the disk, on first use. */
export function connectEditor(access: StoreAccess, settings: EditorSettings) {
  return async ({ clock, ids, log, trust, workspace }: Ports): Promise<EditorPorts> => {
    const work = await import('@baton/editor/work');
    await nextTurn(); // Loading it was work enough for one.
    const { state, program, languageServers, allowedSettings, link } = settings;
    // Not the main checkout: an agent in a linked worktree edits the files there.
    const root = workspace.checkout ?? workspace.path;
    const tree = new work.WorkspaceTree(root, clock);
    const common = { tree, allowedSettings, clock, log };
    if (link) {
      const editor = new work.RemoteEditor(link, tree);
      return {
        ...common,
        changing: editor.changing,
        settings: editor.settings,
        language: ({ signal }) => editor.language(signal),
      };
    }
    // Its first opening takes as long as a server needs to start, so it happens meanwhile, in a turn
    // of its own. Whether it can be opened matters, and is told, when something is written.
    setImmediate(() => access.open().catch(() => {}));
    const disk = (folder: string) =>
      new work.DiskChanges({
        workspace: folder,
        folder: path.join(state, 'editor', keyOf(folder)),
        exclusively: (job) => exclusively(access, `editor:${folder}`, job),
        clock,
        ids,
        log,
      });
    const files = disk(root);
    const bench = new work.Workbench({ tree, log });
    const choice = new work.InstalledServers({
      workspace: root,
      packagesOf: [program, path.join(state, 'package.json')],
      installInto: state,
      trust,
      named: languageServers,
      workspaceServers: () => workspaceServers(workspace),
    });
    return {
      ...common,
      changing: new work.FollowedChanges(files, bench),
      settings: new work.FileSettings({
        workspace: () => ({ folder: root, file: '.vscode/settings.json', changing: files }),
        user: () => {
          const { folder, file } = work.userSettings(homeDirectory(), process.platform);
          return { folder, file, changing: disk(folder) };
        },
      }),
      language: (questions) => new work.HeadlessLanguage(bench, choice, questions),
    };
  };
}
