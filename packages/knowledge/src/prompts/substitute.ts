import type { PieceArgument } from '../reading/piece.ts';

const PLACE = /\{\{\s*([A-Za-z_][\w-]*)\s*\}\}/g;
/** What commands of Claude Code call everything that was typed after them. */
const ALL = /\$ARGUMENTS\b/;
const ANY = new RegExp(`${PLACE.source}|${ALL.source}`, 'g');

/** The arguments of a template: those that it declares, or one for all that is typed. */
export function argumentsOf(
  declared: readonly PieceArgument[],
  body: string,
): readonly PieceArgument[] {
  if (declared.length > 0 || !ALL.test(body)) return declared;
  return [{ name: 'arguments', description: 'What to do it with', required: false, values: [] }];
}

/**
 * Puts values into a template, all in one pass: whatever a value holds is text, and names that
 * nobody declared stay as they are.
 */
export function substitute(
  body: string,
  declared: readonly PieceArgument[],
  values: Readonly<Record<string, string>>,
): string {
  const known = new Map(
    declared.map(({ name, default: initial = '' }) => [
      name,
      // Clients give an empty text for what a person has not filled in.
      (Object.hasOwn(values, name) && values[name]) || initial,
    ]),
  );
  const all = [...known.values()].filter(Boolean).join(' ');
  return body.replace(ANY, (found: string, name: string | undefined) =>
    name === undefined ? all : (known.get(name) ?? found),
  );
}

/** Names in a template that it does not declare, each where it is first. */
export function undeclared(
  body: string,
  declared: readonly PieceArgument[],
): { readonly name: string; readonly index: number }[] {
  const known = new Set(declared.map(({ name }) => name));
  return [...body.matchAll(PLACE)].flatMap(({ 1: name = '', index }) => {
    if (known.has(name)) return [];
    known.add(name);
    return [{ name, index }];
  });
}
