import type { Handler, Handlers } from './session.ts';

interface Spot {
  readonly line: number;
  readonly offset: number;
}

interface TextChange {
  readonly start: Spot;
  readonly end: Spot;
  readonly newText: string;
}

interface ChangedFile {
  readonly fileName: string;
  readonly text: string;
  /** In the order of their places. */
  readonly textChanges: readonly TextChange[];
}

export interface Changes {
  readonly file: string;
  readonly line: number;
  readonly offset: number;
  readonly changes: readonly ChangedFile[];
}

/** Changes open files, looks, and changes them back; the server does nothing else meanwhile. */
export function referencesAfter(handlers: Handlers, { file, line, offset, changes }: Changes) {
  const update = handlers.get('updateOpen') as Handler<object> | undefined;
  const references = handlers.get('references') as Handler<object, { refs: object[] }> | undefined;
  if (!update || !references) throw new Error('references are not told');
  const changed: ChangedFile[] = [];
  const send = ({ fileName }: ChangedFile, textChanges: readonly TextChange[]) =>
    update({ arguments: { changedFiles: [{ fileName, textChanges }] } });
  try {
    for (const one of changes) {
      send(one, one.textChanges);
      changed.push(one);
    }
    return references({ arguments: { file, line, offset } }).response?.refs ?? [];
  } finally {
    for (const one of changed) send(one, [wholeOf(one)]);
  }
}

/** Puts the text back that was there, in the place of all that the changes have made of it. */
function wholeOf({ text, textChanges }: ChangedFile): TextChange {
  const starts = lineStarts(text);
  const offsetOf = ({ line, offset }: Spot) => (starts[line - 1] ?? text.length) + offset - 1;
  let now = text;
  for (const { start, end, newText } of textChanges.toReversed())
    now = now.slice(0, offsetOf(start)) + newText + now.slice(offsetOf(end));
  const lines = lineStarts(now);
  const end = { line: lines.length, offset: now.length - (lines.at(-1) ?? 0) + 1 };
  return { start: { line: 1, offset: 1 }, end, newText: text };
}

/** As TypeScript counts lines, not as editors do. */
function lineStarts(text: string): number[] {
  const breaks = text.matchAll(/\r\n|[\n\r\u2028\u2029]/g);
  return [0, ...Array.from(breaks, ({ index, 0: { length } }) => index + length)];
}
