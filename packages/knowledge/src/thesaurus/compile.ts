import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSegment } from '../index/build-segment.ts';
import { Indexer } from '../index/entry.ts';
import type { Segment } from '../index/segment.ts';
import { encodeSegment } from '../index/segment-file.ts';
import { CONCEPT_WORDS } from '../matching/weights.ts';
import { analyse } from '../words/analyse.ts';
import { type Concept, LONGEST_PHRASE, type WordSets } from './thesaurus.ts';

/*
 * The thesaurus as people write it, in packages/knowledge/thesaurus. Concepts are blocks of lines:
 * `=` names, `?` how people ask for it who do not know them, `~` what texts about it mention.
 * Sets of words are lines. Commas separate what stands in a line.
 */
const CONCEPT_FILES = ['backend', 'engineering', 'frontend', 'operations'];

export interface CompiledThesaurus {
  readonly concepts: Uint8Array;
  readonly wordSets: string;
}

/** The thesaurus as the program reads it. */
export function compileThesaurus(folder: string): CompiledThesaurus {
  const read = (name: string) => readFileSync(path.join(folder, `${name}.txt`), 'utf8');
  const wordSets: WordSets = {
    equivalents: readSets(read('equivalents'), LONGEST_PHRASE),
    everyday: readSets(read('everyday'), 1),
  };
  return {
    concepts: encodeSegment(indexConcepts(CONCEPT_FILES.map(read))),
    wordSets: JSON.stringify(wordSets),
  };
}

function indexConcepts(texts: readonly string[]): Segment {
  const indexer = new Indexer(CONCEPT_WORDS);
  const concepts = together(texts.flatMap(readConcepts)).map(({ names, asked, related }) => {
    const record: Concept = { names: names.map(stemsOf), related: related.map(stemsOf) };
    const found = { title: names, useWhen: asked, description: related };
    return indexer.index({
      key: names[0] ?? '',
      path: '',
      marks: [],
      texts: { body: [], tags: [], capabilities: [], headings: [], ...found },
      record,
      size: 0,
      changed: 0,
    });
  });
  return buildSegment(concepts);
}

interface WrittenConcept {
  readonly names: readonly string[];
  readonly asked: readonly string[];
  readonly related: readonly string[];
}

/** What several files say of one concept, in one. */
function together(written: readonly WrittenConcept[]): WrittenConcept[] {
  const concepts = new Map<string, WrittenConcept>();
  for (const one of written) {
    const [name = ''] = one.names;
    const other = concepts.get(name);
    const both = (what: keyof WrittenConcept) => [
      ...new Set([...(other?.[what] ?? []), ...one[what]]),
    ];
    concepts.set(name, { names: both('names'), asked: both('asked'), related: both('related') });
  }
  return [...concepts.values()];
}

function readConcepts(text: string): WrittenConcept[] {
  return text.split(/\n\s*\n/).flatMap((block) => {
    const listed = (sign: string) =>
      block
        .split('\n')
        .filter((line) => line.startsWith(sign))
        .flatMap((line) => listOf(line.slice(1)));
    const names = listed('=');
    return names.length > 0 ? [{ names, asked: listed('?'), related: listed('~') }] : [];
  });
}

function readSets(text: string, longest: number): string[][] {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => {
      const phrases = listOf(line).map(stemsOf);
      const short = phrases.filter(({ length }) => length > 0 && length <= longest);
      return [...new Set(short.map((stems) => stems.join(' ')))];
    })
    .filter(({ length }) => length > 1);
}

function listOf(line: string): string[] {
  return line
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
}

function stemsOf(text: string): readonly string[] {
  return analyse(text).stems;
}
