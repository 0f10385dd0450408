/** Why a file was not read. */
export type FileProblem =
  | { readonly problem: 'missing' | 'irregular' | 'outside' | 'large' | 'not-utf8' }
  | { readonly problem: 'unreadable'; readonly code: string }
  /** `line` is where the first NUL byte is. */
  | { readonly problem: 'binary'; readonly line: number };

/** Whether it may be over the next time, with the same file. */
export function isPassing({ problem }: FileProblem): boolean {
  return problem === 'missing' || problem === 'unreadable';
}

/** What went wrong with a system call; other errors are thrown on. */
export function problemOf(error: unknown): FileProblem {
  const { code } = error as NodeJS.ErrnoException;
  if (!code) throw error;
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
  return isMissing ? { problem: 'missing' } : { problem: 'unreadable', code };
}

/** A problem in words; `maxBytes` is what was allowed. */
export function sentenceOf(found: FileProblem, maxBytes: number): string {
  switch (found.problem) {
    case 'missing':
      return 'This does not exist.';
    case 'unreadable':
      return `This cannot be read (${found.code}).`;
    case 'irregular':
      return 'This is not a regular file.';
    case 'outside':
      return 'This leads out of the folder.';
    case 'large':
      return `This is larger than ${sizeInWords(maxBytes)}: split it.`;
    case 'binary':
      return 'This is not a text: it holds a NUL byte.';
    case 'not-utf8':
      return 'This is not a text in UTF-8.';
  }
}

function sizeInWords(bytes: number): string {
  let size = bytes;
  let unit = 0;
  for (; size >= 1024 && size % 1024 === 0 && unit < 3; unit++) size /= 1024;
  return `${size} ${['bytes', 'KiB', 'MiB', 'GiB'][unit]}`;
}
