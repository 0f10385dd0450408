import type { EditorHost, Place } from '@baton/editor/link';
import * as vscode from 'vscode';
import { currentDocument, save } from './documents.ts';
import { differenceTo, toEditorEdit } from './edit-texts.ts';
import { askPlugin, isKnownToTypeScript, type Span, toRange, toSpan } from './typescript.ts';
import type { WindowFiles } from './window-files.ts';
import { positionOf, type WindowLanguage } from './window-language.ts';

type Asked = Parameters<EditorHost['referencesAfter']>[0];

interface Edited {
  readonly document: vscode.TextDocument;
  readonly edits: readonly vscode.TextEdit[];
}

/** The references of what would stand at a place after edits that nobody has asked for yet. */
export async function referencesAfter(
  files: WindowFiles,
  language: WindowLanguage,
  { edits, at }: Asked,
): Promise<Place[]> {
  if (edits.length === 0) return language.references(at);
  const edited = await Promise.all(
    edits.map(async ({ file, edits: changes }) => ({
      document: await currentDocument(files.uriOf(file), file),
      edits: changes.map(toEditorEdit),
    })),
  );
  if (!edited.every(({ document }) => isKnownToTypeScript(document)))
    return inBuffers(edited, () => language.references(at));
  const anchor = files.uriOf(at.file);
  const found = await askPlugin<readonly (Span & { readonly file: string })[]>('referencesAfter', {
    file: anchor,
    ...toSpan(new vscode.Range(positionOf(at), positionOf(at))).start,
    changes: edited.map(toChange),
  });
  return language.places(
    found.map((one) => ({ uri: vscode.Uri.file(one.file), range: toRange(one) })),
  );
}

/** TypeScript's server makes the edits and takes them back before it does anything else. */
function toChange({ document, edits }: Edited) {
  const ordered = [...edits].sort((a, b) => a.range.start.compareTo(b.range.start));
  return {
    fileName: document.uri.fsPath,
    text: document.getText(),
    textChanges: ordered.map(({ range, newText }) => ({ ...toSpan(range), newText })),
  };
}

/** Of other languages nobody else knows what would be; the person may see it for a moment. */
async function inBuffers<Result>(
  edited: readonly Edited[],
  look: () => Promise<Result>,
): Promise<Result> {
  const before = edited.map(({ document }) => ({
    document,
    text: document.getText(),
    isDirty: document.isDirty,
  }));
  const there = new vscode.WorkspaceEdit();
  for (const { document, edits } of edited) there.set(document.uri, [...edits]);
  await vscode.workspace.applyEdit(there);
  try {
    return await look();
  } finally {
    const back = new vscode.WorkspaceEdit();
    for (const { document, text } of before) back.set(document.uri, [differenceTo(document, text)]);
    await vscode.workspace.applyEdit(back);
    // The text is that of the file again, but VS Code knows that only once it has saved it.
    for (const { document, isDirty } of before) if (!isDirty) await save(document);
  }
}
