import { BatonError } from '@baton/core';
import { ancestorsOf } from './graph.ts';
import { referencesIn } from './references.ts';
import type { StoredJob } from './stored-job.ts';
import { referringTexts } from './work-texts.ts';

/** Where a job may refer to outputs of others; values of variables are checked before they are sealed. */
export function checkReferences(jobs: readonly StoredJob[]): void {
  for (const { id, work } of jobs) checkTexts(jobs, id, referringTexts(work));
}

/** A job can refer to what comes before it only. */
export function checkTexts(
  jobs: readonly { readonly id: string; readonly needs?: readonly string[] | undefined }[],
  id: string,
  texts: readonly string[],
): void {
  const references = texts.flatMap((text) => referencesIn(text));
  if (references.length === 0) return;
  const before = ancestorsOf(jobs, id);
  const wrong = references.find(({ job }) => !before.has(job));
  if (!wrong) return;
  throw new BatonError(
    'reference_unknown',
    `Job ${id} refers to \${${wrong.job}.${wrong.output}}, but does not need ${wrong.job}.`,
    `Add ${wrong.job} to its needs, or write $\${…} for a text that is no reference.`,
  );
}
