// What takes two columns of a terminal: East Asian wide characters and emoji.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const NONE = /[\p{M}\p{Cf}]/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours, which take no room
const COLOUR = /\u001b\[\d+m/y;

function widthOf(character: string): number {
  if (character < '\u0300') return 1;
  if (NONE.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** How many columns a text takes on a terminal. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const { width } of pieces(text)) columns += width;
  return columns;
}

/** The beginning of a text that fits; colours stay, so that they are switched off again. */
export function fit(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let fitting = '';
  let room = columns - 1;
  let isFull = false;
  for (const { piece, width } of pieces(text)) {
    isFull ||= width > room;
    if (width === 0 || !isFull) fitting += piece;
    if (isFull && room >= 0) {
      fitting += '…';
      room = -1;
    }
    room -= isFull ? 0 : width;
  }
  return fitting;
}

export function pad(text: string, columns: number): string {
  return `${text}${' '.repeat(Math.max(0, columns - columnsOf(text)))}`;
}

function* pieces(text: string): Generator<{ piece: string; width: number }> {
  for (let at = 0; at < text.length; ) {
    COLOUR.lastIndex = at;
    const [colour] = COLOUR.exec(text) ?? [];
    const piece = colour ?? String.fromCodePoint(text.codePointAt(at) ?? 0);
    yield { piece, width: colour ? 0 : widthOf(piece) };
    at += piece.length;
  }
}
