import type { Environment } from '@baton/core';
import { toWork, type Work } from './definition.ts';
import type { StoredJob } from './stored-job.ts';

/** The texts that outputs of other jobs are put into. Command lines belong to the shell. */
export function referringTexts(work: StoredJob['work']): readonly string[] {
  switch (work.type) {
    case 'shell':
    case 'land':
      return [];
    case 'process':
      return work.args ?? [];
    case 'ticket': {
      const { title, body = '', checks = [] } = work;
      return [title, body, ...checks.flatMap((check) => referringTexts(toWork(check)))];
    }
  }
}

/** Their values are sealed, and outputs are put into them, too. */
export function variablesOf(work: Work): Environment {
  return work.type === 'ticket' ? {} : (work.env ?? {});
}
