import type { Problem } from '../model.ts';
import type { Reading } from './declared.ts';
import { readJsonText } from './json-text.ts';
import { type Place, type Say, worded } from './place.ts';

/** More of them tell nobody more. */
const MOST_PROBLEMS = 20;

/**
 * A JSON file, read as far as it makes sense. An unknown key is a warning, since other programs
 * have keys of their own; a wrong value is an error.
 */
export function readJson<Declared>(
  text: string,
  file: string,
  nothing: Declared,
  read: (place: Place) => Declared,
): Reading<Declared> {
  const source = readJsonText(text);
  if (!('value' in source)) {
    return { declared: nothing, problems: [{ ...source, file, severity: 'error' }] };
  }
  const problems: Problem[] = [];
  let left = 0;
  const say: Say = (path, message, isKey) => {
    if (problems.length >= MOST_PROBLEMS) {
      left += 1;
      return;
    }
    problems.push({
      file,
      line: source.lineOf(path, isKey),
      severity: isKey ? 'warning' : 'error',
      message: worded(path, message, isKey),
    });
  };
  for (const path of source.repeated) say(path, 'it is there twice, and the last counts', true);
  const declared = read({ value: source.value, path: [], say });
  const inOrder = problems.toSorted((a, b) => a.line - b.line);
  if (left === 0) return { declared, problems: inOrder };
  const message = `There are ${left} more problems.`;
  return { declared, problems: [...inOrder, { file, line: 1, severity: 'warning', message }] };
}
