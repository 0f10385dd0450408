import { BatonError, nearest } from '@baton/core';
import { parseYamlFile } from '@baton/documents';
import { z } from 'zod';
import type { Problem } from '../model.ts';
import { fold } from '../names.ts';
import type { CatalogEntry, DeclaredCatalog, Reading } from './declared.ts';
import { nameIn, type Place, present, recordIn, type Say, sayUnknown, textIn } from './place.ts';
import { readCategory } from './read-category.ts';

// What is wrong comes back as text with these in it.
const FILE = 'catalog.yaml';
const INVALID = 'data_catalog_invalid';
/** Nobody writes more, and to read YAML takes long: with its keys by the square. */
const LONGEST = 131_072;
const MOST_ENTRIES = 6000;
const MOST_PROBLEMS = 50;
const PLACED = /^catalog\.yaml:(\d+):\d+: (.*)$/s;

/** `catalog.yaml`. An entry is of one of the `known` files or folders, named without an ending. */
export async function readCatalogFile(
  text: string,
  file: string,
  known: readonly string[],
): Promise<Reading<DeclaredCatalog>> {
  let declared: DeclaredCatalog = { categories: [] };
  if (text.length > LONGEST || text.split(/[:,?]/).length > MOST_ENTRIES) {
    const message = 'The file has more than 128 KiB or 6,000 entries: nothing of it is read.';
    return { declared, problems: [{ file, line: 1, severity: 'error', message }] };
  }
  // Comments alone are no content, and nothing wrong.
  if (!/^[ \t\ufeff]*[^\s#]/m.test(text)) return { declared, problems: [] };
  let told = 0;
  const schema = z.unknown().superRefine((value, context) => {
    const say: Say = (path, message, isKey) => {
      told += 1;
      if (told > MOST_PROBLEMS) return;
      context.addIssue({
        ...(isKey ? { code: 'invalid_key', origin: 'record', issues: [] } : { code: 'custom' }),
        input: undefined,
        path: [...path],
        message,
      });
    };
    declared = readCatalog({ value, path: [], say }, known);
  });
  const problems = await parseYamlFile(text, FILE, schema, INVALID).then(
    () => [],
    (error: unknown) => problemsIn(error, file),
  );
  return { declared, problems };
}

function readCatalog(place: Place, known: readonly string[]): DeclaredCatalog {
  const catalog = recordIn(place);
  if (!catalog) return { categories: [] };
  sayUnknown(catalog, ['description', 'categories']);
  const entries = recordIn(catalog.get('categories')) ?? new Map<string, Place>();
  return {
    ...present({ description: textIn(catalog.get('description')) }),
    categories: [...entries].flatMap(([key, entry]) => readEntry(key, entry, known)),
  };
}

function readEntry(key: string, place: Place, known: readonly string[]): CatalogEntry | [] {
  const given = place.value === null ? new Map<string, Place>() : recordIn(place);
  if (!given) return [];
  const file = nameIn(given.get('file'));
  const wanted = file?.replace(/^.*\//, '').replace(/\.[^.]*$/, '') ?? key;
  if (!known.some((name) => fold(name) === fold(wanted))) {
    const meant = nearest(wanted, known);
    const hint = meant === undefined ? '' : `; "${meant}" may be meant`;
    place.say(place.path, `there are no records with this name${hint}`, true);
  }
  return { key, ...present({ file }), declared: readCategory(given, ['file']) };
}

function problemsIn(error: unknown, file: string): Problem[] {
  if (!(error instanceof BatonError) || error.code !== INVALID) throw error;
  let last = 1;
  return error.message.split('\n').map((told) => {
    const [
      ,
      line = last,
      message = told.replace(/^and (\d+) more$/, 'There are $1 more problems.'),
    ] = PLACED.exec(told) ?? [];
    last = Number(line);
    return { file, line: last, severity: 'error', message };
  });
}
