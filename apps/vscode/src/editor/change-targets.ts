import { constants, lstatSync, type Stats } from 'node:fs';
import { access } from 'node:fs/promises';
import { BatonError } from '@baton/core';
import type { Move, TextWrite } from '@baton/editor/link';
import type * as vscode from 'vscode';
import { currentDocument, filesChanged, isSameText } from './documents.ts';
import type { WindowFiles } from './window-files.ts';

/** A document that is to be changed. */
export interface Target {
  readonly write: TextWrite;
  /** Where it is before and after the moves. */
  readonly from: vscode.Uri;
  readonly to: vscode.Uri;
  readonly document: vscode.TextDocument;
  /** What is not saved before is not saved by us: a person is at it. */
  readonly wasDirty: boolean;
}

export interface UriMove {
  readonly from: vscode.Uri;
  readonly to: vscode.Uri;
}

/** Throws unless every document is as expected, and can be written if it is to be saved. */
export async function targetsOf(
  files: WindowFiles,
  writes: readonly TextWrite[],
  moves: readonly UriMove[],
): Promise<Target[]> {
  const targets = await Promise.all(
    writes.map(async (write) => {
      const from = files.uriOf(write.file);
      const document = await currentDocument(from, write.file);
      const { isDirty: wasDirty } = document;
      return { write, from, to: uriAfter(moves, from), document, wasDirty };
    }),
  );
  const changed = targets.filter(
    ({ document, write }) => !isSameText(document.getText(), write.before),
  );
  if (changed.length > 0) throw filesChanged(changed.map(({ write }) => write.file));
  await Promise.all(targets.filter(({ wasDirty }) => !wasDirty).map(checkWritable));
  return targets;
}

/** Throws unless what moves is there and its new place is free. */
export function uriMove(files: WindowFiles, { from, to }: Move): UriMove {
  const move = { from: files.uriOf(from), to: files.uriOf(to) };
  const source = look(move.from);
  const target = look(move.to);
  if (!source) throw filesChanged([from]);
  // Where upper and lower case are the same, a file can stand in its own way.
  if (target && (target.ino !== source.ino || target.dev !== source.dev)) throw targetExists(to);
  return move;
}

export function uriAfter(moves: readonly UriMove[], uri: vscode.Uri): vscode.Uri {
  const move = moves.find((one) => isMovedBy(one, uri));
  return move ? uri.with({ path: move.to.path + uri.path.slice(move.from.path.length) }) : uri;
}

export function isMovedBy({ from }: UriMove, { path }: vscode.Uri): boolean {
  return path === from.path || path.startsWith(`${from.path}/`);
}

export function look(uri: vscode.Uri): Stats | undefined {
  return lstatSync(uri.fsPath, { throwIfNoEntry: false });
}

async function checkWritable({ from, write }: Target): Promise<void> {
  await access(from.fsPath, constants.W_OK).catch((cause: unknown) => {
    throw changeFailed(`${write.file} cannot be written. Nothing was changed.`, cause);
  });
}

export function changeFailed(message: string, cause?: unknown): BatonError {
  const next = 'Make the file writable, or leave it out, and call again.';
  return new BatonError('change_failed', message, next, { cause });
}

function targetExists(file: string): BatonError {
  return new BatonError(
    'target_exists',
    `${file} exists already. Nothing was changed.`,
    'Name a path that is free, in full.',
  );
}
