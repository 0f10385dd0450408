import type { Found } from '../finding.ts';
import type { Subject } from '../subject.ts';
import { danglingReferences } from './dangling.ts';
import { duplicates } from './duplicates.ts';
import { missingValues } from './missing.ts';
import { uncleanTexts } from './texts.ts';
import { constantFields, repeatedCodes, strangeDates } from './values.ts';

/** What looks wrong with the records themselves. */
export async function quality(subject: Subject, today: string): Promise<readonly Found[]> {
  const found = await Promise.all([
    missingValues(subject),
    danglingReferences(subject),
    duplicates(subject),
    uncleanTexts(subject),
    strangeDates(subject, today),
    repeatedCodes(subject),
  ]);
  return [...found.flat(), ...constantFields(subject)];
}
