import type { EditedText } from '@baton/editor/link';
import * as vscode from 'vscode';
import { currentDocument, filesChanged } from './documents.ts';
import { fromEditorEdit } from './edit-texts.ts';
import type { WindowFiles } from './window-files.ts';

const ATTEMPTS = 4;

export type UriEdits = readonly (readonly [uri: vscode.Uri, edits: readonly vscode.TextEdit[]])[];

/**
 * Edits with the texts that they fit. A file that was not open may have been known as it once was:
 * then it is opened, and all is computed again.
 */
export async function editedTexts(
  files: WindowFiles,
  what: string,
  compute: () => Promise<UriEdits>,
): Promise<EditedText[]> {
  let changed: string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const known = versions();
    const found = await compute();
    const edited = await Promise.all(
      found.map(async ([uri, edits]) => {
        const file = files.editable(uri, what);
        return { file, edits, document: await currentDocument(uri, file) };
      }),
    );
    changed = edited
      .filter(({ document }) => known.get(document.uri.toString()) !== document.version)
      .map(({ file }) => file);
    if (changed.length === 0)
      return edited.map(({ file, edits, document }) => ({
        file,
        text: document.getText(),
        edits: edits.map(fromEditorEdit),
      }));
  }
  throw filesChanged(changed);
}

function versions(): Map<string, number> {
  return new Map(
    vscode.workspace.textDocuments.map((document) => [document.uri.toString(), document.version]),
  );
}
