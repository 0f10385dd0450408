import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { BatonError } from '@baton/core';
import * as vscode from 'vscode';

/** How long VS Code may take to hear that a file was changed; in new folders it may never hear. */
const NEWS_MS = 300;
const LOOK_MS = 30;
/** How often a file is read that is changed all the time. */
const RELOADS = 3;
/** Where VS Code has something to ask the person, saving does not end. */
const SAVE_MS = 20_000;

/** A document as it is now: what has no unsaved changes has what is in the file. */
export async function currentDocument(uri: vscode.Uri, file: string): Promise<vscode.TextDocument> {
  for (let reloads = 0; ; reloads++) {
    for (const end = performance.now() + NEWS_MS; ; await pause(LOOK_MS)) {
      const document = await openDocument(uri, file);
      if (document.isDirty || (await isAsInFile(document))) return document;
      if (performance.now() > end) break;
    }
    if (reloads === RELOADS) throw filesChanged([file]);
    await reload(uri);
  }
}

export async function save(document: vscode.TextDocument): Promise<void> {
  await Promise.race([document.save(), pause(SAVE_MS, undefined, { ref: false })]);
}

/** Line breaks are the document's own: VS Code makes all of a text the same. */
export function isSameText(a: string, b: string): boolean {
  return a === b || plain(a) === plain(b);
}

export function filesChanged(files: readonly string[]): BatonError {
  return new BatonError(
    'files_changed',
    `Files were changed meanwhile: ${files.slice(0, 5).join(', ')}. Nothing was changed by Baton.`,
    'Call again once nobody writes to them.',
  );
}

async function openDocument(uri: vscode.Uri, file: string): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch (cause) {
    throw new BatonError(
      'file_unusable',
      `${file} cannot be opened as a text: ${cause instanceof Error ? cause.message : cause}`,
      'Name another file, or change it by hand.',
      { cause },
    );
  }
}

/** VS Code reads a file again when it is to be read in another encoding, and then in its own. */
async function reload(uri: vscode.Uri): Promise<void> {
  const { encoding } = await vscode.workspace.openTextDocument(uri);
  const other = encoding === 'utf8' ? 'utf8bom' : 'utf8';
  try {
    await vscode.workspace.openTextDocument(uri, { encoding: other });
    await vscode.workspace.openTextDocument(uri, { encoding });
  } catch {
    // The person has just begun to edit it: then it is what they see.
  }
}

/** Whether a document has the text of its file. */
export async function isAsInFile(document: vscode.TextDocument): Promise<boolean> {
  // In another encoding, only VS Code can tell.
  if (!document.encoding.startsWith('utf8')) return true;
  const bytes = await readFile(document.uri.fsPath).catch(() => undefined);
  return bytes !== undefined && isSameText(new TextDecoder().decode(bytes), document.getText());
}

function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
