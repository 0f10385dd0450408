import { requireUnprotected } from '@baton/core';
import type { TextChange, TextWrite } from '@baton/editor/link';
import * as vscode from 'vscode';
import {
  changeFailed,
  isMovedBy,
  look,
  type Target,
  targetsOf,
  type UriMove,
  uriAfter,
  uriMove,
} from './change-targets.ts';
import { isAsInFile, isSameText, save } from './documents.ts';
import { differenceTo, toEditorEdit } from './edit-texts.ts';
import { keepQuiet } from './file-moves.ts';
import { makesFolders, removeIfEmpty } from './made-folders.ts';
import type { WindowFiles } from './window-files.ts';

/** What has been done, by paths after the moves. */
export interface Done {
  readonly left: readonly { readonly file: string; readonly text: string }[];
  readonly unsaved: readonly string[];
  /** Folders that were made for it, the innermost first. */
  readonly madeFolders: readonly string[];
}

/** Changes documents and files of the window: all of them or none. */
export async function carryOut(files: WindowFiles, change: TextChange): Promise<Done> {
  const named = [...change.writes.map(({ file }) => file)];
  for (const { from, to } of change.moves) named.push(from, to);
  for (const file of named) requireUnprotected(files.fileOf(files.uriOf(file)) ?? file);
  const moves = change.moves.map((move) => uriMove(files, move));
  const targets = await targetsOf(files, change.writes, moves);
  const madeFolders = makesFolders(moves.map(({ to }) => to.fsPath));
  const dirty = vscode.workspace.textDocuments
    .filter((document) => document.isDirty && moves.some((move) => isMovedBy(move, document.uri)))
    .map((document) => uriAfter(moves, document.uri));
  const edit = new vscode.WorkspaceEdit();
  for (const { from, document, write } of targets)
    edit.set(from, write.edits?.map(toEditorEdit) ?? [differenceTo(document, write.after)]);
  // Texts first: otherwise TypeScript's server takes moved files for others from then on.
  for (const { from, to } of moves) edit.renameFile(from, to, { overwrite: false });
  await keepQuiet(moves);
  const isApplied = await vscode.workspace.applyEdit(edit);
  const failure = isApplied ? await finish(targets) : 'VS Code has refused the change';
  if (failure !== undefined) {
    const left = await takeBack(targets, moves);
    removeIfEmpty(madeFolders);
    const outcome = left.length === 0 ? 'Nothing was changed' : `Look at ${left.join(', ')}`;
    throw changeFailed(`${failure}. ${outcome}.`);
  }
  const left = await Promise.all(targets.map(({ to, write }) => leftAt(files, to, write)));
  const unsaved = [...targets.filter(({ wasDirty }) => wasDirty).map(({ to }) => to), ...dirty];
  const names = new Set(unsaved.map((uri) => files.fileOf(uri) ?? uri.fsPath));
  return { left, unsaved: [...names].sort(), madeFolders };
}

/** What went wrong, if anything did. */
async function finish(targets: readonly Target[]): Promise<string | undefined> {
  const all = await Promise.all(
    targets.map(async ({ to, write, wasDirty }) => {
      return { document: await vscode.workspace.openTextDocument(to), write, wasDirty };
    }),
  );
  const other = all.find(({ document, write }) => !isSameText(document.getText(), write.after));
  if (other) return `${other.write.file} was changed at the same moment`;
  const toSave = all.filter(({ wasDirty }) => !wasDirty);
  // VS Code lets a read-only document be edited, but does not count it as edited.
  const locked = await firstOf(toSave, async ({ document }) => {
    return !document.isDirty && !(await isAsInFile(document));
  });
  if (locked) return `${locked.write.file} is read-only in VS Code`;
  await Promise.all(toSave.map(({ document }) => document.isDirty && save(document)));
  const unsaved = await firstOf(toSave, async ({ document }) => {
    return document.isDirty || !(await isAsInFile(document));
  });
  return unsaved && `${unsaved.write.file} could not be saved`;
}

/** Tells what could not be put back. */
async function takeBack(targets: readonly Target[], moves: readonly UriMove[]): Promise<string[]> {
  const moved = moves.filter(({ from, to }) => !look(from) && look(to)).reverse();
  const back = new vscode.WorkspaceEdit();
  for (const { from, to, write } of targets) {
    const document = await vscode.workspace.openTextDocument(look(from) ? from : to);
    if (!isSameText(document.getText(), write.before))
      back.set(document.uri, [differenceTo(document, write.before)]);
  }
  for (const { from, to } of moved) back.renameFile(to, from, { overwrite: false });
  await keepQuiet(moved.map(({ from, to }) => ({ from: to, to: from })));
  if (!(await vscode.workspace.applyEdit(back))) return targets.map(({ write }) => write.file);
  const left = await Promise.all(
    targets.map(async ({ from, write, wasDirty }) => {
      const document = await vscode.workspace.openTextDocument(from);
      if (!wasDirty && document.isDirty) await save(document);
      return isSameText(document.getText(), write.before) ? [] : [write.file];
    }),
  );
  return left.flat();
}

/** As it is after saving: formatters may have had their say. */
async function leftAt(files: WindowFiles, uri: vscode.Uri, { file }: TextWrite) {
  const document = await vscode.workspace.openTextDocument(uri);
  return { file: files.fileOf(uri) ?? file, text: document.getText() };
}

async function firstOf<One>(all: readonly One[], is: (one: One) => Promise<boolean>) {
  const found = await Promise.all(all.map(is));
  return all.find((_, index) => found[index]);
}
