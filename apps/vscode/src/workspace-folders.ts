import * as vscode from 'vscode';

export interface LocalFolder {
  readonly name: string;
  readonly path: string;
}

/** The folders of this window that are on the machine where the extension runs. */
export function localFolders(): LocalFolder[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ name, uri }) => ({ name, path: uri.fsPath }));
}

/** The folder of the file that the person is looking at, else the first. */
export function folderOnScreen(): string | undefined {
  const shown = vscode.window.activeTextEditor?.document.uri;
  const folder = shown && vscode.workspace.getWorkspaceFolder(shown)?.uri;
  return folder?.scheme === 'file' ? folder.fsPath : localFolders()[0]?.path;
}
