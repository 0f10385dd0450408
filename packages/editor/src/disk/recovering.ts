import { BatonError, escapeLine } from '@baton/core';
import { Execution } from './execution.ts';
import type { Journal } from './journal.ts';
import type { Journals, Stage } from './journals.ts';
import type { Site } from './site.ts';
import { Stopped } from './stopped.ts';

/** Finishes, takes back or clears away what a process has left that has died. */
export async function recover(site: Site, journals: Journals): Promise<void> {
  for (const id of journals.idsIn('new')) await clearAway(site, journals, id);
  for (const id of journals.idsIn('back')) await takeBack(site, journals, id);
  for (const id of journals.idsIn('forward')) await finish(site, journals, id);
  for (const id of journals.idsIn('progress')) {
    if (!journals.has(id, 'forward') && !journals.has(id, 'back')) journals.remove(id, 'progress');
  }
  await site.reach('recovered');
}

async function clearAway(site: Site, journals: Journals, id: string): Promise<void> {
  try {
    const journal = await readOwn(site, journals, id, 'new');
    if (journal) await new Execution(site, journals, journal).abandon();
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    // It was not written to its end, so nothing else was begun.
    site.log.write('warn', `${error.message} It was not in use yet, and is removed.`);
    journals.remove(id, 'new');
  }
}

async function takeBack(site: Site, journals: Journals, id: string): Promise<void> {
  const journal = await readOwn(site, journals, id, 'back');
  if (!journal) return;
  await new Execution(site, journals, journal).back();
  site.log.write('info', `Change ${id} had failed and was taken back.`);
}

async function finish(site: Site, journals: Journals, id: string): Promise<void> {
  const journal = await readOwn(site, journals, id, 'forward');
  if (!journal) return;
  const execution = new Execution(site, journals, journal);
  try {
    await execution.forward({ others: 'leave', isPrepared: false });
    site.log.write('info', `Change ${id} was interrupted and has been finished.`);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    const outcome = await execution.turnBack();
    if (outcome !== 'nothing' && outcome !== 'left-alone') throw error;
    site.log.write(
      'warn',
      `Change ${id} was interrupted and was taken back: ${escapeLine(error.message)}.`,
    );
  }
}

/** A journal of another workspace says nothing about files of this one. */
async function readOwn(
  { files, turns, log }: Site,
  journals: Journals,
  id: string,
  stage: Stage,
): Promise<Journal | undefined> {
  const journal = await journals.read(id, stage, turns);
  if (!journal || journal.workspace === files.workspace) return journal;
  log.write('warn', `${journals.pathOf(id, stage)} is of another workspace, and is left alone.`);
  return undefined;
}
