import path from 'node:path';
import { BatonError } from '@baton/core';
import { leadsOutOf, whereLeads } from '@baton/folders';
import * as vscode from 'vscode';

/** Where files are that nobody edits by hand. */
const NOT_OURS = /(^|\/)(node_modules|\.git)(\/|$)/i;

/** Translates between paths in the workspace of a process and the documents of this window. */
export class WindowFiles {
  readonly #root: string;

  /** `root` is a real path. */
  constructor(root: string) {
    this.#root = root;
  }

  /** In the folder as the window has it: through a link, open documents have other names. */
  uriOf(file: string): vscode.Uri {
    const real = whereLeads(path.join(this.#root, file));
    const folder = folderOf(real);
    if (!folder || leadsOutOf(this.#root, real)) throw outside(file);
    return vscode.Uri.joinPath(folder.uri, ...path.relative(folder.real, real).split(path.sep));
  }

  /** `undefined` if it is not of this window, or not of this workspace. */
  fileOf(uri: vscode.Uri): string | undefined {
    if (uri.scheme !== 'file') return undefined;
    const real = whereLeads(uri.fsPath);
    if (!folderOf(real) || leadsOutOf(this.#root, real)) return undefined;
    return path.relative(this.#root, real).split(path.sep).join('/');
  }

  /** The path of a file that is to be edited. */
  editable(uri: vscode.Uri, what: string): string {
    const file = this.fileOf(uri);
    if (file !== undefined && !NOT_OURS.test(file)) return file;
    throw new BatonError(
      'outside_workspace',
      `${what} would change ${uri.fsPath}, which is outside of the folders of this window, or in installed packages.`,
      'Choose something that belongs to this workspace, or open the folder above it in VS Code.',
    );
  }

  /** The window's folder with this workspace in it, or the first one that is in the workspace. */
  get folder(): vscode.Uri | undefined {
    const inside = () => realFolders().find(({ real }) => !leadsOutOf(this.#root, real));
    return (folderOf(this.#root) ?? inside())?.uri;
  }
}

interface RealFolder {
  readonly uri: vscode.Uri;
  readonly real: string;
}

function realFolders(): RealFolder[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => ({ uri, real: whereLeads(uri.fsPath) }));
}

/** The innermost one: a window may have a folder and one that is in it. */
function folderOf(real: string): RealFolder | undefined {
  return realFolders()
    .filter((folder) => !leadsOutOf(folder.real, real))
    .sort((a, b) => b.real.length - a.real.length)[0];
}

function outside(file: string): BatonError {
  return new BatonError(
    'outside_workspace',
    `${JSON.stringify(String(file).slice(0, 200))} is not in a folder of this window.`,
    'Name a file of the folders that are open, or open its folder in VS Code.',
  );
}
