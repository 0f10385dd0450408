import { BatonError } from '@baton/core';
import type { EditorHost } from '@baton/editor/link';
import * as vscode from 'vscode';
import { currentDocument } from './documents.ts';
import { editsForMoves } from './file-moves.ts';
import { referencesAfter } from './references-after.ts';
import { WindowChanges } from './window-changes.ts';
import { WindowFiles } from './window-files.ts';
import { WindowLanguage } from './window-language.ts';
import { WindowSettings } from './window-settings.ts';

/**
 * One after the other: what is looked at must not be what somebody else is about to take back. With
 * a signal it is given up when nobody waits for it any more; without one, all wait for its end.
 */
export type InTurn = <Result>(work: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>;

/** This window, as the tools see it that work in one workspace. */
export function createWindowEditor(root: string, inTurn: InTurn): EditorHost {
  const files = new WindowFiles(root);
  const language = new WindowLanguage(files);
  const changes = new WindowChanges(files);
  const settings = new WindowSettings(files);
  const turn =
    <Asked, Result>(work: (asked: Asked) => Promise<Result>) =>
    (asked: Asked, signal: AbortSignal) =>
      inTurn(() => work(asked), signal);
  const wholly =
    <Asked, Result>(work: (asked: Asked) => Promise<Result>) =>
    (asked: Asked) =>
      inTurn(() => work(asked));
  const writing = <Asked, Result>(work: (asked: Asked) => Promise<Result>) =>
    wholly(async (asked: Asked) => {
      requireTrust();
      return work(asked);
    });
  return {
    read: turn(async ({ file }) => (await currentDocument(files.uriOf(file), file)).getText()),
    declarations: turn((asked) => language.declarations(asked)),
    tokens: turn((asked) => language.tokens(asked)),
    definitions: turn((asked) => language.definitions(asked)),
    rename: turn((asked) => language.rename(asked)),
    renameFiles: turn((asked) => editsForMoves(files, language, asked)),
    organizeImports: turn((asked) => language.organizeImports(asked)),
    referencesAfter: wholly((asked) => referencesAfter(files, language, asked)),
    apply: writing((asked) => changes.apply(asked)),
    undo: writing(({ id }) => changes.undo(id)),
    settingGet: async (asked) => settings.get(asked),
    settingSet: writing((asked) => settings.set(asked)),
  };
}

/** The tools that write are not even offered there; this does not depend on it. */
function requireTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new BatonError(
    'not_trusted',
    'This folder is not trusted in VS Code. Nothing was changed.',
    'A person can trust it with the command "Workspaces: Manage Workspace Trust".',
  );
}
