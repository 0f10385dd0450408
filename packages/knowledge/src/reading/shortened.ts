/** A text of at most so many characters, with a mark if that is not all of it. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // Half of a pair is no character.
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 2)) ? most - 2 : most - 1;
  return `${text.slice(0, end).trimEnd()}…`;
}
