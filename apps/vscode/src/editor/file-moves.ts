import { lstatSync } from 'node:fs';
import type { EditedText, EditorHost, Move } from '@baton/editor/link';
import * as vscode from 'vscode';
import { editedTexts, type UriEdits } from './edited-texts.ts';
import {
  askPlugin,
  cannotRenameFiles,
  type FileCodeEdits,
  isKnownToTypeScript,
  isSource,
  isTypeScriptAwake,
  toRange,
} from './typescript.ts';
import type { WindowFiles } from './window-files.ts';
import type { WindowLanguage } from './window-language.ts';

/** What has to be edited when files move. VS Code tells nobody, but TypeScript tells our plugin. */
export async function editsForMoves(
  files: WindowFiles,
  language: WindowLanguage,
  { moves, concerned }: Parameters<EditorHost['renameFiles']>[0],
): Promise<EditedText[]> {
  // TypeScript knows the projects of open documents, and of no others.
  const opened = await language.openAll(concerned);
  const anchor = opened.find(isKnownToTypeScript);
  if (!anchor) throw cannotRenameFiles('no source of this window is open in it');
  return editedTexts(files, 'The move', async () => {
    const edits = new Map<string, vscode.TextEdit[]>();
    for (const move of moves) {
      for (const { fileName, textChanges } of await ask(files, anchor, move)) {
        if (isConfigOf(files, move, fileName)) continue;
        const more = textChanges.map((one) => new vscode.TextEdit(toRange(one), one.newText));
        edits.set(fileName, [...(edits.get(fileName) ?? []), ...more]);
      }
    }
    return [...edits].map(([file, all]): UriEdits[number] => [vscode.Uri.file(file), all]);
  });
}

/**
 * After a move VS Code asks TypeScript on its own, for what we have edited already, and asks the
 * person, or edits it once more. TypeScript then has nothing to say about this move.
 */
export async function keepQuiet(moves: readonly { from: vscode.Uri; to: vscode.Uri }[]) {
  if (!isTypeScriptAwake()) return;
  for (const { from, to } of moves) {
    if (!isSource(from.path) && !lstatSync(from.fsPath).isDirectory()) continue;
    const asked = { oldFilePath: from.fsPath, newFilePath: to.fsPath };
    // Without the plugin, the move is one that we know no imports of.
    await askPlugin('quietFileRename', asked).catch(() => {});
  }
}

function ask(
  files: WindowFiles,
  anchor: vscode.TextDocument,
  { from, to }: Move,
): Promise<readonly FileCodeEdits[]> {
  const asked = {
    file: anchor.uri,
    oldFilePath: files.uriOf(from).fsPath,
    newFilePath: files.uriOf(to).fsPath,
  };
  return askPlugin<readonly FileCodeEdits[]>('editsForFileRename', asked).catch(
    (error: unknown) => {
      throw cannotRenameFiles(error);
    },
  );
}

/** What moves together with a configuration file stays where it was from there. */
function isConfigOf(files: WindowFiles, { from }: Move, fileName: string): boolean {
  return fileName.endsWith('.json') && fileName.startsWith(`${files.uriOf(from).fsPath}/`);
}
