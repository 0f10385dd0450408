// C0 except tab and newline, DEL, C1, and the characters that reorder or hide text.
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]|\r(?!\n)|[\u{e0000}-\u{e007f}]/gu;

/** As in JSON, so that an escaped text within JSON still means the same characters. */
export function visible(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Whether a text has characters that `escapeControls` would change. */
export function hasControls(text: string): boolean {
  UNSAFE.lastIndex = 0; // The pattern is global, and test() goes on where it last stopped.
  return UNSAFE.test(text);
}

/** Makes characters visible that would act on a terminal or deceive a reader. Keeps line breaks. */
export function escapeControls(text: string): string {
  return text.replace(UNSAFE, visible);
}

/** One event, one line: line breaks become visible too. */
export function escapeLine(text: string): string {
  return escapeControls(text.replace(/\r\n|[\r\n]/g, '\\n')).replace(/\t/g, '\\t');
}

// Format and control characters, odd spaces, blank letters, and what no font knows.
export const HIDDEN = /(?![\n\t ])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Half of a pair is no character, and would be replaced on its way.
  const end = /[\ud800-\udbff]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

/** Edit distance, for "did you mean". Both words are capped: they come from outside. */
function distance(a: string, b: string): number {
  const row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    let diagonal = row[0] ?? 0;
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const above = row[j] ?? 0;
      const changed = a[i - 1] === b[j - 1] ? diagonal : diagonal + 1;
      row[j] = Math.min(changed, above + 1, (row[j - 1] ?? 0) + 1);
      diagonal = above;
    }
  }
  return row[b.length] ?? 0;
}

/** The known word closest to what was written, if any is close enough to be meant. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const wanted = word.slice(0, 64).toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(wanted.length / 2)) + 1;
  for (const candidate of known) {
    const found = distance(wanted, candidate.toLowerCase());
    if (found < bestDistance) {
      best = candidate;
      bestDistance = found;
    }
  }
  return best;
}
