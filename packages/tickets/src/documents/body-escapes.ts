// What acts on a terminal or turns the direction of a text, and halves of characters. A carriage
// return at the end of a line is none of it.
const ACTING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
  /[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\p{Cs}]|\r(?!\n)/u;
// With the backslash of what would be taken for an escape.
const ESCAPED = new RegExp(String.raw`${ACTING.source}|\\(?=u[0-9a-f]{4})`, 'gu');

/** The text of a ticket for a file, which people print on terminals: as it is, if nothing acts. */
export function escapeBody(body: string): string {
  if (!ACTING.test(body)) return body;
  return body.replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The text again, if the file says that it was changed. */
export function unescapeBody(body: string): string {
  return body.replace(/\\u([0-9a-f]{4})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
