import { textOf } from '../edits/text-file.ts';
import type { EditedFile } from '../language/language.ts';

/** Servers break lines in their own way; what they write is to look like the rest of the file. */
export function keepLineBreaks(edited: EditedFile): EditedFile {
  const { file, contents, edits } = edited;
  const [found = '\n'] = /\r\n|\n|\r/.exec(textOf(file, contents).text) ?? [];
  const broken = ({ newText }: (typeof edits)[number]) => newText.replace(/\r\n|\n|\r/g, found);
  return { ...edited, edits: edits.map((edit) => ({ ...edit, newText: broken(edit) })) };
}
