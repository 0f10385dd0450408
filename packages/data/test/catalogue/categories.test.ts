import { cites } from '@baton/e2e/requirements';
import { describe, expect, it } from 'vitest';
import { DataWorld, idsOf, problemsOf, values } from './data-world.ts';

const PEOPLE = 'id,name,dept\n1,Ann,d1\n2,Bob,d2\n3,Cleo,d1\n';
const DEPARTMENTS = 'id,title\nd1,Engineering\nd2,Sales\n';

describe(`${cites('DATA-SOURCES')} a folder with all files of a category`, () => {
  const files = {
    'people/category.json': JSON.stringify({
      id: 'staff',
      name: 'Our people',
      description: 'Who works here.',
      aliases: ['colleagues'],
      purpose: 'To know whom to ask.',
      primaryKeys: ['id'],
      updateCadence: 'daily',
      requiredFields: ['name'],
    }),
    'people/relationships.json': JSON.stringify([
      {
        key: 'unit',
        targetCategory: 'departments',
        sourceField: 'dept',
        targetField: 'id',
        cardinality: 'one',
      },
    ]),
    'people/records.csv': PEOPLE,
    'people/schema.json': JSON.stringify({
      type: 'object',
      properties: { id: { type: 'integer', maximum: 2 }, name: { description: 'First name' } },
    }),
    'people/examples/ann.json': JSON.stringify({ id: 1, name: 'Ann', dept: 'd1' }),
    'people/queries/units.sql':
      '-- People by unit\nSELECT dept, count(*) FROM staff GROUP BY dept\n',
    'people/types/people.ts': 'export interface Person {}\n',
    'departments.csv': DEPARTMENTS,
  };

  it('is one category with what they say, found by each of its names', async () => {
    using world = new DataWorld(files);
    const service = world.service();
    // What was inferred about departments would only repeat their fields.
    expect((await service.overview()).categories).toEqual([
      { id: 'departments', rows: 2, fields: 'id*, title' },
      {
        id: 'staff',
        rows: 3,
        about: 'Who works here.',
        fields: 'id*, name, dept → departments',
      },
    ]);
    const described = await service.describe('staff');
    expect(described).toMatchObject({
      name: 'Our people',
      description: 'Who works here.',
      purpose: 'To know whom to ask.',
      key: ['id'],
      rows: 3,
      relations: ['unit: dept → departments.id'],
      examples: [{ id: 1, name: 'Ann', dept: 'd1' }],
      queries: [{ title: 'People by unit' }],
      source: 'data/people/records.csv: data, not instructions',
    });
    expect(described.fields[1]).toMatchObject({
      name: 'name',
      about: 'First name',
      required: true,
    });
    for (const name of ['Our people', 'COLLEAGUES', 'colleague']) {
      expect(await service.describe(name)).toEqual(described);
    }
  });

  it('is checked against its schema, and its relations against their targets', async () => {
    using world = new DataWorld({ ...files, 'departments.csv': 'id,title\nd1,Engineering\n' });
    expect(await problemsOf(world.service())).toEqual([
      expect.stringMatching(/^data\/people\/records\.csv:1 error: .*dept .*"d2"/),
      expect.stringMatching(/^data\/people\/records\.csv:1 error: 3, .*id/),
    ]);
  });

  it('without records is told, as is a second file of them', async () => {
    using world = new DataWorld({
      'empty/category.json': '{}',
      'twice/records.csv': PEOPLE,
      'twice/records.json': '[]',
    });
    const service = world.service();
    expect(await idsOf(service)).toEqual(['twice']);
    expect(await problemsOf(service)).toEqual([
      'data/empty/category.json:1 error: It has no records: put them into records.csv, .tsv, .json, .ndjson or .parquet beside it.',
      'data/twice/records.json:1 error: There are records in records.csv already: this is left out.',
    ]);
  });
});

describe(`${cites('DATA-SOURCES')} bare files`, () => {
  it('are categories wherever they lie, except in hidden folders', async () => {
    using world = new DataWorld({
      'orders.tsv': 'no\ttotal\n1\t2.5\n',
      'a/b/c/visits.ndjson': '{"who":"Ann"}\n{"who":"Bob"}\n',
      'a/Rooms.json': '[{"floor":1}]',
      '.git/config.json': '[{"a":1}]',
      'node_modules/x/package.json': '{"a":1}',
      'notes.txt': 'none',
    });
    const service = world.service();
    expect(await idsOf(service)).toEqual(['Rooms', 'orders', 'visits']);
    expect(await values(service, 'SELECT who FROM visits ORDER BY who')).toEqual(['Ann', 'Bob']);
    expect(await problemsOf(service)).toEqual([]);
  });

  it('of the same name get ids and tables of their own, and it is told', async () => {
    using world = new DataWorld({
      'north/sales.csv': 'n\n1\n',
      'south/sales.csv': 'n\n2\n',
      'sales.csv': 'n\n3\n',
      'Sales.json': '[{"n":4}]',
      'select.csv': 'n\n5\n',
      '2024.csv': 'n\n6\n',
      'a-b.csv': 'n\n7\n',
      'a_b.csv': 'n\n8\n',
    });
    const service = world.service();
    const ids = await idsOf(service);
    expect(new Set(ids.map((id) => id.toLowerCase())).size).toBe(8);
    const tables = await Promise.all(ids.map(async (id) => (await service.describe(id)).table));
    const found = await values(
      service,
      tables.map((table) => `SELECT n FROM ${table}`).join(' UNION ALL '),
    );
    expect(found.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const told = await problemsOf(service);
    expect(told.filter((one) => one.includes('Another category is called'))).toHaveLength(3);
  });

  it('in several folders: the first has the name', async () => {
    using world = new DataWorld({ 'a.csv': 'n\n1\n', '../mine/a.csv': 'n\n2\n' });
    const sources = [
      { name: 'data', path: world.data },
      { name: 'mine', path: world.file('../mine') },
      { name: 'lost', path: world.file('../lost'), isNamed: true as const },
    ];
    const service = world.service({ sources });
    expect(await values(service, 'SELECT n FROM a')).toEqual([1]);
    expect(await idsOf(service)).toHaveLength(2);
    expect(await problemsOf(service)).toContain('lost:1 error: There is no such folder.');
  });
});

describe('catalog.yaml', () => {
  it('overrides what is inferred, and hides', async () => {
    using world = new DataWorld({
      'people.csv': 'no;name;zip\n1;Ann;00123\n2;Bob;4567\n',
      'drafts.csv': 'a\n1\n',
      'catalog.yaml': [
        'categories:',
        '  people:',
        '    name: Members',
        '    description: Of the club.',
        '    key: [name]',
        '    fields:',
        '      no: {type: text, description: Their number}',
        '      shoe: A field that is not there',
        '  drafts: {hidden: true}',
        '  peple: {name: Others}',
        '',
      ].join('\n'),
    });
    const service = world.service();
    expect(await idsOf(service)).toEqual(['people']);
    const { name, description, key, fields } = await service.describe('members');
    expect({ name, description, key }).toEqual({
      name: 'Members',
      description: 'Of the club.',
      key: ['name'],
    });
    expect(fields.map((field) => [field.name, field.type, field.about])).toEqual([
      ['no', 'text', 'Their number'],
      ['name', 'text', undefined],
      ['zip', 'text', undefined],
    ]);
    await expect(service.query({ sql: 'FROM drafts' })).rejects.toMatchObject({
      code: 'data_category_unknown',
    });
    expect(await problemsOf(service)).toEqual([
      expect.stringMatching(/^data\/catalog\.yaml:10 error: .*peple.*"people" may be meant/),
      expect.stringMatching(/^data\/people\.csv:1 warning: No record has a field shoe/),
    ]);
  });

  it('counts for the folder that it lies in, and those below', async () => {
    using world = new DataWorld({
      'catalog.yaml': 'categories:\n  a: {name: Above}\n  b: {name: Above}\n',
      'in/catalog.yaml': 'categories:\n  b: {name: Below}\n',
      'other/a.csv': 'n\n1\n',
      'in/b.csv': 'n\n1\n',
    });
    const service = world.service();
    expect((await service.describe('a')).name).toBe('Above');
    expect((await service.describe('b')).name).toBe('Below');
  });

  it('that is no YAML is told, and what it is about is withheld: it may name secrets', async () => {
    using world = new DataWorld({
      'a.csv': 'n\n1\n',
      'a/catalog.yaml': 'categories: [\n',
      'a/b.csv': 'n\n1\n',
    });
    const service = world.service();
    expect(await idsOf(service)).toEqual(['a']);
    expect(await problemsOf(service)).toContainEqual(
      expect.stringMatching(/^data\/a\/catalog\.yaml:\d+ error: /),
    );
    expect(await problemsOf(service)).toContainEqual(
      expect.stringMatching(/^data\/a\/b\.csv:1 error: /),
    );
    world.write('a/catalog.yaml', 'categories: {}\n');
    expect(await idsOf(service)).toEqual(['a', 'b']);
  });
});

describe('an empty catalogue', () => {
  it.each(['a folder without files', 'no folder'])('%s is no mistake', async (what) => {
    using world = new DataWorld();
    if (what === 'no folder') world.remove('.');
    const service = world.service();
    const { categories, truncated, next } = await service.overview();
    expect({ categories, truncated }).toEqual({ categories: [], truncated: false });
    expect(next).toContain('There are no records yet');
    expect(await service.search({ text: 'anything' })).toMatchObject({ records: [], total: 0 });
    expect(await values(service, 'SELECT 1')).toEqual([1]);
    expect(await service.idsBeginningWith('')).toEqual([]);
    expect(await service.check()).toMatchObject({ categories: 0, records: 0, problems: [] });
    for (const asking of [
      service.describe('people'),
      service.insights({ category: 'people', limit: 5 }),
      service.search({ category: 'people' }),
      service.query({ sql: 'FROM people' }),
    ]) {
      await expect(asking).rejects.toMatchObject({ code: 'data_category_unknown' });
    }
  });
});
