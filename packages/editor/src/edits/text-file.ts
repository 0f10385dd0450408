import { BatonError } from '@baton/core';

/** A text without the mark that may stand before it: servers and editors do not count it. */
export interface FileText {
  readonly mark: string;
  readonly text: string;
}

const MARK = '\ufeff';
/** Many ask for the text of the same contents. */
const known = new WeakMap<Buffer, FileText>();

export function textOf(file: string, contents: Buffer): FileText {
  const read = known.get(contents) ?? decode(file, contents);
  known.set(contents, read);
  return read;
}

function decode(file: string, contents: Buffer): FileText {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(contents);
  } catch (cause) {
    throw new BatonError(
      'file_unusable',
      `${file} is not a text in UTF-8, and would have to be changed.`,
      'Save it in UTF-8 first, or change it by hand.',
      { cause },
    );
  }
  return text.startsWith(MARK) ? { mark: MARK, text: text.slice(1) } : { mark: '', text };
}

export function contentsOf({ mark, text }: FileText): Buffer {
  return Buffer.from(mark + text, 'utf8');
}
