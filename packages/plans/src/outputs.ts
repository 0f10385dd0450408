import { BatonError, truncate } from '@baton/core';

/** The name of an output, here and in a reference to it. */
export const OUTPUT_NAME = '[A-Za-z_][A-Za-z0-9_-]{0,63}';

const NAME = new RegExp(`^${OUTPUT_NAME}$`);
const MOST_NAMES = 100;
const MOST_VALUE_BYTES = 32 * 1024;
const MOST_BYTES = 256 * 1024;

/**
 * What a job wrote to `$BATON_OUTPUT`: lines `name=value`, and for a value of several lines
 * `name<<DELIMITER`, the lines, `DELIMITER`. The last one wins.
 */
export function parseOutputs(text: string): Record<string, string> {
  if (isLonger(text, MOST_BYTES)) {
    throw invalid('The outputs are longer than 256 KiB', 'Write large results to a file instead.');
  }
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const outputs = new Map<string, string>();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    const { name, value, last } = entryAt(lines, at);
    check(name, value, `Line ${at + 1}: `);
    outputs.set(name, value);
    if (outputs.size > MOST_NAMES) {
      throw invalid(`Line ${at + 1}: more than 100 outputs`, 'Write fewer, or several in one.');
    }
    at = last;
  }
  return withoutPrototype(outputs);
}

interface Entry {
  readonly name: string;
  readonly value: string;
  readonly last: number;
}

function entryAt(lines: readonly string[], at: number): Entry {
  const line = lines[at] ?? '';
  const [, name = '', mark, rest = ''] = /^(.*?)(=|<<)(.*)$/su.exec(line) ?? [];
  if (mark === undefined) {
    throw invalid(`Line ${at + 1} is neither name=value nor name<<DELIMITER`, FORMAT);
  }
  if (mark === '=') return { name, value: rest, last: at };
  if (rest === '') throw invalid(`Line ${at + 1} has no delimiter after <<`, FORMAT);
  const last = lines.indexOf(rest, at + 1);
  if (last === -1) {
    const delimiter = JSON.stringify(truncate(rest, 64));
    throw invalid(
      `Line ${at + 1}: the delimiter ${delimiter} does not follow on a line of its own`,
      'End the value with a line that is exactly the delimiter.',
    );
  }
  return { name, value: lines.slice(at + 1, last).join('\n'), last };
}

const FORMAT =
  'Write name=value, or for several lines name<<DELIMITER, the lines, and DELIMITER on a line of its own.';

/** Outputs that are no text to be parsed, within the same bounds. */
export function checkOutputs(outputs: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(outputs);
  for (const [name, value] of entries) check(name, value, 'Outputs: ');
  if (entries.length > MOST_NAMES) {
    throw invalid('There are more than 100 outputs', 'Write fewer, or several in one.');
  }
  if (isLonger(entries.flat().join(''), MOST_BYTES)) {
    throw invalid('The outputs are longer than 256 KiB', 'Write large results to a file instead.');
  }
  return withoutPrototype(entries);
}

/** `__proto__` and `constructor` are outputs only if somebody wrote them. */
function withoutPrototype(entries: Iterable<readonly [string, string]>): Record<string, string> {
  return Object.assign(Object.create(null), Object.fromEntries(entries));
}

function check(name: string, value: string, where: string): void {
  const quoted = JSON.stringify(truncate(name, 64));
  if (!NAME.test(name)) {
    throw invalid(
      `${where}${quoted} is no name of an output`,
      'Begin with a letter or _, then letters, digits, _ and -, at most 64, without spaces around.',
    );
  }
  if (value.includes('\0')) {
    throw invalid(
      `${where}the value of ${quoted} contains a NUL character`,
      'Write text only, and binary results to a file.',
    );
  }
  if (isLonger(value, MOST_VALUE_BYTES)) {
    throw invalid(
      `${where}the value of ${quoted} is longer than 32 KiB`,
      'Write large results to a file instead.',
    );
  }
}

function isLonger(text: string, bytes: number): boolean {
  return text.length > bytes || new TextEncoder().encode(text).length > bytes;
}

// Never with a value in it: outputs may be secret, and errors are shown to everybody.
function invalid(problem: string, next: string): BatonError {
  return new BatonError('output_invalid', `${problem}.`, next);
}
