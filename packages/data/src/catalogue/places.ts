import path from 'node:path';
import { formatOf } from '../loading/formats.ts';
import type { Problem } from '../model.ts';

/** Where a category is in a folder of data. All paths are in that folder, with slashes. */
export interface Place {
  /** What it is called unless somebody says otherwise. */
  readonly name: string;
  /** The folder that it has for itself, if it has one. */
  readonly folder?: string;
  readonly records: string;
  /** Files that say something about it. */
  readonly category?: string;
  readonly relationships?: string;
  readonly schemas: readonly string[];
  readonly queries: readonly string[];
  readonly examples: readonly string[];
  /** The nearest `catalog.yaml`, and what the category is called there. */
  readonly catalog?: string;
}

export interface Places {
  readonly places: readonly Place[];
  readonly catalogs: readonly string[];
  readonly problems: readonly Omit<Problem, 'line'>[];
}

const CATALOG = /^catalog\.ya?ml$/i;
const OWN = new Set(['category.json', 'relationships.json', 'schema.json']);
const RECORDS = /^records\.[^.]+$/i;
const ASIDE = /^(?:schemas?|examples|queries|types|python-types|tests)$/i;

/** Whether a file of this name can be part of a catalogue. */
export function isPart(name: string): boolean {
  return formatOf(name) !== undefined || CATALOG.test(name) || /\.sql$/i.test(name);
}

/** Whether a file says something about records that nobody must miss. */
export function saysMore(file: string): boolean {
  const name = path.posix.basename(file).toLowerCase();
  return name === 'category.json' || CATALOG.test(name);
}

/** Which of the files of a folder are which. */
export function findPlaces(files: readonly string[]): Places {
  const byFolder = new Map<string, string[]>();
  for (const file of [...files].sort()) {
    const folder = folderOf(file);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), file]);
  }
  const catalogs = files.filter((file) => CATALOG.test(path.posix.basename(file))).sort();
  const problems: Omit<Problem, 'line'>[] = [];
  const owners = [...byFolder].filter(([, inside]) => isOwner(inside)).map(([folder]) => folder);
  const places: Place[] = [];
  for (const [folder, inside] of byFolder) {
    const owner = ownerOf(folder, owners);
    if (owner === undefined) places.push(...bareFiles(inside, catalogs));
    else if (owner === folder) {
      const place = ownFolder(folder, inside, byFolder, catalogs, problems);
      if (place) places.push(place);
    }
  }
  return { places, catalogs, problems };
}

/** A folder with `category.json` or `records.*` is a category. */
function isOwner(inside: readonly string[]): boolean {
  return inside.some((file) => {
    const name = path.posix.basename(file).toLowerCase();
    return name === 'category.json' || (RECORDS.test(name) && formatOf(name) !== undefined);
  });
}

function ownerOf(folder: string, owners: readonly string[]): string | undefined {
  if (owners.includes(folder)) return folder;
  const parent = folderOf(folder);
  // What lies in other folders of a category is a category of its own.
  return owners.includes(parent) && ASIDE.test(path.posix.basename(folder)) ? parent : undefined;
}

function bareFiles(inside: readonly string[], catalogs: readonly string[]): Place[] {
  return inside
    .filter((file) => formatOf(file) && !OWN.has(path.posix.basename(file).toLowerCase()))
    .map((records) => ({
      name: path.posix.parse(records).name,
      records,
      schemas: [],
      queries: [],
      examples: [],
      ...catalogFor(records, catalogs),
    }));
}

function ownFolder(
  folder: string,
  inside: readonly string[],
  byFolder: ReadonlyMap<string, readonly string[]>,
  catalogs: readonly string[],
  problems: Omit<Problem, 'line'>[],
): Place | undefined {
  const named = (name: string) =>
    inside.find((file) => path.posix.basename(file).toLowerCase() === name);
  const aside = (pattern: RegExp) =>
    [...byFolder]
      .filter(([one]) => folderOf(one) === folder && pattern.test(path.posix.basename(one)))
      .flatMap(([, files]) => files);
  const records = inside.filter(
    (file) => RECORDS.test(path.posix.basename(file)) && formatOf(file),
  );
  const [first, second] = records;
  const category = named('category.json');
  if (first === undefined) {
    const message =
      'It has no records: put them into records.csv, .tsv, .json, .ndjson or .parquet beside it.';
    problems.push({ file: category ?? folder, severity: 'error', message });
    return undefined;
  }
  if (second !== undefined) {
    const message = `There are records in ${path.posix.basename(first)} already: this is left out.`;
    problems.push({ file: second, severity: 'error', message });
  }
  const relationships = named('relationships.json');
  const schema = named('schema.json');
  return {
    name: path.posix.basename(folder) || 'records',
    folder,
    records: first,
    ...(category && { category }),
    ...(relationships && { relationships }),
    schemas: [...(schema ? [schema] : []), ...aside(/^schemas?$/i).filter(isJson)],
    queries: aside(/^queries$/i).filter((file) => isJson(file) || /\.sql$/i.test(file)),
    examples: aside(/^examples$/i).filter(isJson),
    ...catalogFor(first, catalogs),
  };
}

function isJson(file: string): boolean {
  return /\.json$/i.test(file);
}

/** The one in its folder, or in the nearest folder above. */
function catalogFor(file: string, catalogs: readonly string[]): { catalog?: string } {
  for (let folder = folderOf(file); ; folder = folderOf(folder)) {
    const catalog = catalogs.find((one) => folderOf(one) === folder);
    if (catalog) return { catalog };
    if (folder === '') return {};
  }
}

function folderOf(file: string): string {
  const folder = path.posix.dirname(file);
  return folder === '.' ? '' : folder;
}
