import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  createValidator,
  readCatalogFile,
  readCategoryFile,
  readExamplesFile,
  readQueryFile,
  readRelationshipsFile,
  readSchemaFile,
} from '../declared-under-test.ts';

const DATA = fileURLToPath(new URL('../../../../examples/acme/.baton/data', import.meta.url));
const CATEGORIES = [
  ...['people', 'departments', 'applications', 'company-policies', 'company-resources'],
];

type Row = Readonly<Record<string, unknown>>;

const textOf = (...names: string[]) => readFileSync(path.join(DATA, ...names), 'utf8');

/** The records as any program would read them; none of these files quotes a separator's line. */
function recordsOf(category: string): Row[] {
  const name = readdirSync(path.join(DATA, category)).find((file) => /^records\./.test(file)) ?? '';
  const text = textOf(category, name);
  if (name.endsWith('.ndjson')) {
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row);
  }
  if (!name.endsWith('.json')) return tableOf(text, name.endsWith('.tsv') ? '\t' : ',');
  const value = JSON.parse(text) as readonly Row[] | Readonly<Record<string, Row>>;
  return Array.isArray(value)
    ? value
    : Object.entries(value).map(([id, record]) => ({ id, ...(record as Row) }));
}

function tableOf(text: string, separator: string): Row[] {
  const [header = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) =>
      [...line.matchAll(new RegExp(`(?:^|${separator})(?:"([^"]*)"|([^${separator}]*))`, 'g'))].map(
        ([, quoted, plain]) => (quoted ?? plain) || null,
      ),
    );
  return rows.map((row) => Object.fromEntries(header.map((name, at) => [String(name), row[at]])));
}

function readAll(category: string) {
  const files = readdirSync(path.join(DATA, category), { recursive: true, encoding: 'utf8' });
  const readings = files
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.(?:json|sql)$/.test(file) && !file.startsWith('records.'))
    .map((file) => ({ file, ...readerOf(file)(textOf(category, file), file) }));
  return readings;
}

function readerOf(file: string) {
  if (file === 'category.json') return readCategoryFile;
  if (file === 'relationships.json') return readRelationshipsFile;
  if (file.startsWith('queries/')) return readQueryFile;
  return file.startsWith('examples/') ? readExamplesFile : readSchemaFile;
}

test.each(CATEGORIES)('nothing is wrong with the files of %s', (category) => {
  const readings = readAll(category);
  expect(readings.length).toBeGreaterThan(1);
  expect(readings.flatMap(({ problems }) => problems)).toEqual([]);
});

test('the records fit their schemas', () => {
  const checked = CATEGORIES.flatMap((category) =>
    readAll(category).flatMap(({ file, declared }) => {
      if (!/^schemas?[./]/.test(file)) return [];
      const { checkRow } = createValidator((declared as { schema?: unknown }).schema);
      expect(recordsOf(category).flatMap((record) => checkRow(record))).toEqual([]);
      return category;
    }),
  );
  expect(checked).toEqual(['people', 'applications', 'company-policies']);
});

test.each(CATEGORIES)('all that records of %s refer to is there', (category) => {
  const { declared } = readRelationshipsFile(textOf(category, 'relationships.json'), '');
  const records = recordsOf(category);
  for (const { field, to, toField = 'id' } of declared) {
    const known = new Set(recordsOf(to).map((record) => record[toField]));
    const given = records.flatMap((record) => record[field] ?? []);
    expect(given.length, field).toBeGreaterThan(0);
    expect(
      given.filter((value) => !known.has(value)),
      field,
    ).toEqual([]);
  }
});

test('the people that the guide asks for are there', () => {
  const people = recordsOf('people');
  const engineering = recordsOf('departments').find(({ name }) => name === 'Engineering');
  const inEngineering = people.filter((person) => person['departmentId'] === engineering?.['id']);
  expect(inEngineering).toHaveLength(8);
  expect(people.filter(({ title }) => title === 'Senior Developer')).toHaveLength(3);
  expect(CATEGORIES.map((category) => recordsOf(category).length)).toEqual([24, 7, 14, 12, 16]);
});

test('the little that is said about the shop is right', async () => {
  const files = readdirSync(path.join(DATA, 'shop')).map((file) => path.parse(file).name);
  const { declared, problems } = await readCatalogFile(
    textOf('shop', 'catalog.yaml'),
    'catalog.yaml',
    files,
  );
  expect(problems).toEqual([]);
  expect(declared.categories.map(({ key }) => key)).toEqual(['orders', 'customers']);
});
