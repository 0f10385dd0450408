import { BatonError, nearest } from '@baton/core';
import { OUTPUT_NAME } from './outputs.ts';

export interface Reference {
  readonly job: string;
  readonly output: string;
}

type Outputs = Readonly<Record<string, string>>;

/*
 * Only what is written exactly like a reference is one: everything else with a dollar sign belongs
 * to the shell. With one more dollar sign in front it stands for itself.
 */
const REFERENCE = new RegExp(`(\\$?)\\$\\{([a-z0-9-]{3,64})\\.(${OUTPUT_NAME})\\}`, 'g');

const MOST_LISTED = 10;

/** In the order in which they are written, each as often as it is. */
export function referencesIn(text: string): Reference[] {
  return [...text.matchAll(REFERENCE)]
    .filter(([, escaped]) => escaped === '')
    .map(([, , job = '', output = '']) => ({ job, output }));
}

/** In one pass: what an output contains is never taken for a reference. */
export function resolveReferences(text: string, outputs: ReadonlyMap<string, Outputs>): string {
  return text.replace(REFERENCE, (written, escaped: string, job: string, output: string) => {
    if (escaped !== '') return written.slice(1);
    const known = outputs.get(job);
    const value = known && Object.hasOwn(known, output) ? known[output] : undefined;
    if (value === undefined) throw missing({ job, output }, known);
    return value;
  });
}

function missing({ job, output }: Reference, known: Outputs | undefined): BatonError {
  const reference = `\${${job}.${output}}`;
  const literal = `Write $${reference} if the text itself is meant.`;
  if (!known) {
    return new BatonError(
      'output_missing',
      `${reference} refers to the job ${job}, which is none that this job needs.`,
      `Add ${job} to the needs of the job, or correct the reference. ${literal}`,
    );
  }
  const names = Object.keys(known);
  const meant = nearest(output, names);
  return new BatonError(
    'output_missing',
    `${reference} refers to the output ${output}, which the job ${job} did not write. It wrote ${list(names)}.`,
    `${meant ? `Did you mean ${meant}? ` : ''}Correct the reference, or let ${job} write a line ${output}=value to $BATON_OUTPUT. ${literal}`,
  );
}

function list(names: readonly string[]): string {
  if (names.length === 0) return 'no outputs';
  const more = names.length > MOST_LISTED ? ` and ${names.length - MOST_LISTED} more` : '';
  return names.slice(0, MOST_LISTED).join(', ') + more;
}
