const LONGEST = 200;

/** A file holds names and titles in one line without control characters. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, LONGEST);
}
