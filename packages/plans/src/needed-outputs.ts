import type { Store } from '@baton/store';
import type { Claimed } from './claiming.ts';
import type { Sealer } from './environment.ts';
import { tables } from './plan-repository.ts';
import { referencesIn } from './references.ts';
import { referringTexts } from './work-texts.ts';

/** The outputs of earlier jobs that a job refers to, by job. */
export async function neededOutputs(
  store: Store,
  { plan, job }: Claimed,
  sealer: Sealer,
): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const { work } = job.definition;
  const texts = [
    ...referringTexts(work),
    ...Object.values(job.env === '' ? {} : sealer.open(job.env)),
  ];
  const ids = [...new Set(texts.flatMap((text) => referencesIn(text)).map((found) => found.job))];
  if (ids.length === 0) return new Map();
  const rows = await store.read((tx) =>
    tables(tx)
      .selectFrom('plan_jobs')
      .select(['id', 'outputs'])
      .where('plan_id', '=', plan.id)
      .where('id', 'in', ids)
      .execute(),
  );
  return new Map(rows.map(({ id, outputs }) => [id, JSON.parse(outputs)]));
}
