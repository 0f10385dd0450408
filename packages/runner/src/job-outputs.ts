import { readFileSync, statSync } from 'node:fs';
import { BatonError } from '@baton/core';
import { parseOutputs } from '@baton/plans/jobs';

const MAX_OUTPUT_BYTES = 512 * 1024;

/** What a job has written to $BATON_OUTPUT. */
export function readOutputs(file: string): Readonly<Record<string, string>> {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat) return {};
  // A job could put a pipe or a device there, and its reader would wait for ever.
  if (!stat.isFile() || stat.size > MAX_OUTPUT_BYTES) {
    throw new BatonError(
      'output_invalid',
      'What it wrote to $BATON_OUTPUT is no file or too large.',
      'Write small values there, and large ones to files of your own.',
    );
  }
  return parseOutputs(readFileSync(file, 'utf8'));
}
