import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCatalogue } from '../catalogues.ts';
import { type Cell, SEARCH_LIMITS, search } from '../search-under-test.ts';
import { createTestEngine } from '../test-engine.ts';
import { createCompany, refusal } from './company.ts';

const made = createTestEngine();
const { engine } = made;
let company: Awaited<ReturnType<typeof createCompany>>;
beforeAll(async () => {
  company = await createCompany(engine);
});
afterAll(() => made[Symbol.asyncDispose]());

describe('fields', () => {
  it('are all that a record has a value of, unless they are named', async () => {
    const { records, total, truncated, version } = await company.find({
      category: 'people',
      filters: { id: 'P4' },
    });
    expect(records).toEqual([
      {
        values: {
          id: 'P4',
          name: 'Émile',
          departmentId: 'D9',
          managerId: 'P3',
          age: 55,
          salary: 4200.25,
          score: 1e20,
          active: true,
          hired: '2024-06-01',
          seen: '2023-12-31T23:59:59',
        },
      },
    ]);
    expect({ total, truncated, version }).toEqual({ total: 1, truncated: false, version: 'v1' });
  });

  it('may be of related records and within JSON', async () => {
    const fields = [
      'Name',
      'department',
      'department.head.name',
      'skills',
      'address.city',
      'address.pets.kind',
      'people via manager',
      'badge',
    ];
    const { records } = await company.find({ category: 'people', fields, limit: 2 });
    expect(records.map(({ values }) => values)).toEqual([
      {
        name: 'Zoë Ångström',
        department: 'Engineering',
        'department.head.name': 'Zoë Ångström',
        skills: ['Cooking', 'Welding'],
        'address.city': 'Oslo',
        'address.pets.kind': ['cat', 'dog'],
        'people via manager': ['Bob', 'bob'],
        badge: '\\x00ff',
      },
      {
        name: 'Bob',
        department: 'Engineering',
        'department.head.name': 'Zoë Ångström',
        skills: ['Cooking'],
        'address.city': 'Bergen',
        'address.pets.kind': null,
        'people via manager': null,
        badge: null,
      },
    ]);
  });

  it('are refused if there are none', async () => {
    const said = await refusal(company.find({ category: 'people', fields: ['nam'] }));
    expect(said.code).toBe('data_field_unknown');
    expect(said.next).toContain('"name"');
  });
});

describe('order', () => {
  it.each<[string[], string[]]>([
    [['age'], ['P5', 'P2', 'P1', 'P4', 'P3']],
    [['-age'], ['P4', 'P1', 'P2', 'P5', 'P3']],
    [
      ['-active', 'name'],
      ['P5', 'P1', 'P4', 'P2', 'P3'],
    ],
    [
      ['department.name', '-id'],
      ['P2', 'P1', 'P3', 'P5', 'P4'],
    ],
    [['department'], ['P1', 'P2', 'P3', 'P4', 'P5']],
    [['address.zip'], ['P1', 'P2', 'P3', 'P4', 'P5']],
    [['-address.zip'], ['P2', 'P1', 'P3', 'P4', 'P5']],
  ])('by %j', async (sort, expected) => {
    expect(await company.ids('people', {}, { sort })).toEqual(expected);
  });

  it('has no place for several values', async () => {
    const said = await refusal(company.find({ category: 'people', sort: ['skills.name'] }));
    expect(said.code).toBe('data_filter_invalid');
    expect(said.message).toMatch(/several values of skills.name/);
  });
});

describe('pages', () => {
  const filters = { name: { $ne: 'Ann' } };

  it('follow each other, whatever their length and the order of keys', async () => {
    const asked = { category: 'people', filters: { ...filters, age: { $lt: 99 } }, sort: ['-age'] };
    const first = await company.find({ ...asked, limit: 1 });
    expect(first.records.map(({ values }) => values['id'])).toEqual(['P4']);
    expect({ total: first.total, truncated: first.truncated }).toEqual({
      total: 3,
      truncated: true,
    });
    const again = { sort: ['-age'], filters: { age: { $lt: 99 }, ...filters }, category: 'people' };
    const second = await company.find({ ...again, limit: 2, cursor: first.cursor });
    expect(second.records.map(({ values }) => values['id'])).toEqual(['P1', 'P2']);
    expect(second.total).toBe(3);
    expect(second.truncated).toBe(false);
    expect(second).not.toHaveProperty('cursor');
  });

  it('end where the request or the data is another', async () => {
    const asked = { category: 'people', filters, limit: 1 };
    const { cursor } = await company.find(asked);
    const others = [
      { ...asked, filters: {}, cursor },
      { ...asked, sort: ['age'], cursor },
      { ...asked, cursor: `9${cursor}` },
      { ...asked, cursor: '' },
      { ...asked, cursor: `${cursor}.1` },
      { ...asked, cursor: `-${cursor}` },
    ].map((request) => refusal(company.find(request)));
    const changed = { ...company.catalogue, version: 'v2' };
    others.push(refusal(search({ catalogue: changed, engine }, { ...asked, cursor })));
    const said = await Promise.all(others);
    expect(new Set(said.map(({ code }) => code))).toEqual(new Set(['data_cursor_invalid']));
  });

  it('are at most 200 records long', async () => {
    const cells = Array.from({ length: 500 }, (_, id) => [id]);
    const catalogue = await createCatalogue(engine, [
      { id: 'n', columns: { id: 'BIGINT' }, cells },
    ]);
    const { records, total } = await search({ catalogue, engine }, { category: 'n', limit: 999 });
    expect(records).toHaveLength(200);
    expect(total).toBe(500);
    const usual = await search({ catalogue, engine }, { category: 'n' });
    expect(usual.records).toHaveLength(20);
  });
});

describe('what an answer has room for', () => {
  const long = 'lorem ipsum '.repeat(2000);
  const wide = Object.fromEntries(
    Array.from({ length: 400 }, (_, n) => [`column_${n}`, 'VARCHAR']),
  );
  const rows = Array.from({ length: 30 }, (_, id): Cell[] => [
    id,
    `name ${id}`,
    long,
    Array.from({ length: 300 }, (_, n) => n),
    { text: long, more: [long] },
  ]);
  const columns = {
    id: 'BIGINT',
    name: 'VARCHAR',
    story: 'VARCHAR',
    list: 'BIGINT[]',
    json: 'JSON',
  };
  const sizeOf = (answer: unknown) => JSON.stringify(answer).length;

  async function find(request: object) {
    const catalogue = await createCatalogue(engine, [
      { id: 'stories', columns, cells: rows },
      { id: 'wide', columns: wide, cells: [Object.keys(wide).map(() => 'x'.repeat(50))] },
    ]);
    return search({ catalogue, engine }, { category: 'stories', ...request });
  }

  it('is filled with records whose long values are cut, and a cursor for the rest', async () => {
    const seen: Cell[] = [];
    let cursor: string | undefined;
    do {
      const answer = await find({ limit: 30, cursor });
      expect(sizeOf(answer)).toBeLessThanOrEqual(SEARCH_LIMITS.characters);
      expect(sizeOf(answer)).toBeGreaterThan(SEARCH_LIMITS.characters / 4);
      for (const { values } of answer.records) {
        expect(values['story']).toMatch(/^lorem .*…$/);
        expect(values['list']).toContain('…');
        seen.push(values['id'] ?? null);
      }
      expect(answer.truncated).toBe(answer.cursor !== undefined);
      cursor = answer.cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(rows.map(([id]) => id));
  });

  it('goes to fields that are named', async () => {
    const unnamed = await find({ limit: 30 });
    const named = await find({ limit: 30, fields: ['id', 'story'] });
    const lengthOf = (answer: typeof named) => String(answer.records[0]?.values['story']).length;
    expect(lengthOf(named)).toBeGreaterThan(2 * lengthOf(unnamed));
    expect(sizeOf(named)).toBeLessThanOrEqual(SEARCH_LIMITS.characters);
  });

  it('goes to a single record', async () => {
    const answer = await find({ id: '3', fields: ['story'] });
    expect(sizeOf(answer)).toBeLessThanOrEqual(SEARCH_LIMITS.characters);
    expect(sizeOf(answer)).toBeGreaterThan(SEARCH_LIMITS.characters / 2);
  });

  it('keeps short values whole', async () => {
    const { records, truncated } = await find({ fields: ['id', 'name'], limit: 30 });
    expect(truncated).toBe(false);
    expect(records.at(-1)?.values).toEqual({ id: 29, name: 'name 29' });
  });

  it('says what is left out of a record that is too wide', async () => {
    const answer = await find({ category: 'wide' });
    expect(sizeOf(answer)).toBeLessThanOrEqual(SEARCH_LIMITS.characters);
    expect(Object.keys(answer.records[0]?.values ?? {}).length).toBeGreaterThan(100);
    expect(answer.next).toMatch(/^\d+ fields did not fit/);
  });

  it('can be given', async () => {
    const catalogue = await createCatalogue(engine, [{ id: 'stories', columns, cells: rows }]);
    const source = { catalogue, engine };
    const request = { category: 'stories', limit: 30 };
    const small = await search(source, request, { characters: 2000 });
    expect(sizeOf(small)).toBeLessThanOrEqual(2000);
    const large = await search(source, request, { characters: 1_000_000 });
    expect(large.truncated).toBe(false);
  });
});

it('a search that is no longer wanted ends', async () => {
  const signal = AbortSignal.abort();
  const asked = search(
    { catalogue: company.catalogue, engine },
    { category: 'people' },
    { signal },
  );
  await expect(asked).rejects.toMatchObject({ failure: 'cancelled' });
});
