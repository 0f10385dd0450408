import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BatonError } from '@baton/core';
import { decodeSegment } from '../index/segment-file.ts';
import { Thesaurus, type WordSets } from './thesaurus.ts';

/** What the build has made of the thesaurus. */
const THESAURUS_FILES = { concepts: 'concepts.index', wordSets: 'words.json' } as const;

export function loadThesaurus(folder: string): Thesaurus {
  try {
    const concepts = decodeSegment(readFileSync(path.join(folder, THESAURUS_FILES.concepts)));
    const sets = readFileSync(path.join(folder, THESAURUS_FILES.wordSets), 'utf8');
    if (concepts) return new Thesaurus(concepts, JSON.parse(sets) as WordSets);
    throw new Error('it belongs to another version or is damaged');
  } catch (cause) {
    throw new BatonError(
      'thesaurus_missing',
      `The thesaurus beside the program cannot be read: ${(cause as Error).message}.`,
      'Install Baton again; in a checkout of its repository, run npm run build.',
      { cause },
    );
  }
}
