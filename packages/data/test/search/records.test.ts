import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCatalogue } from '../catalogues.ts';
import { search } from '../search-under-test.ts';
import { createTestEngine } from '../test-engine.ts';
import { createCompany, refusal } from './company.ts';

const made = createTestEngine();
const { engine } = made;
let company: Awaited<ReturnType<typeof createCompany>>;
beforeAll(async () => {
  company = await createCompany(engine);
});
afterAll(() => made[Symbol.asyncDispose]());

describe('text', () => {
  it.each<[string, string[]]>([
    ['angstrom', ['P1']],
    ['ÅNGSTRÖM  Zoe', ['P1']],
    // In different fields.
    ['bob D1', ['P2']],
    ['bob', ['P2', 'P3']],
    ['cafe', ['P1']],
    ['4200.25', ['P4']],
    ['2024-05-31', ['P2']],
    ['oslo dog', ['P1']],
    ['  ', ['P1', 'P2', 'P3', 'P4', 'P5']],
    ['kind', []],
    ["o'slo", []],
    ['%', []],
  ])('%j', async (text, expected) => {
    expect(await company.ids('people', {}, { text })).toEqual(expected);
  });

  it('goes with filters', async () => {
    expect(await company.ids('people', { department: 'Sales' }, { text: 'BOB' })).toEqual(['P3']);
  });

  it('is looked for in all categories, in their order, with counts', async () => {
    const answer = await company.find({ text: 'd2' });
    expect(answer.counts).toEqual({ 'company-projects': 1, departments: 1, people: 1 });
    expect(answer.total).toBe(3);
    expect(answer.records.map(({ category, values }) => [category, values['name']])).toEqual([
      ['company-projects', 'Tunnel'],
      ['departments', 'Sales'],
      ['people', 'bob'],
    ]);
  });

  it('in all categories has pages too', async () => {
    const names: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await company.find({ text: 'p', limit: 2, cursor });
      names.push(...page.records.map(({ category }) => category));
      expect(page.total).toBe(14);
      cursor = page.cursor;
    } while (cursor);
    expect(names).toEqual([
      ...Array.from({ length: 2 }, () => 'company-projects'),
      ...Array.from({ length: 2 }, () => 'departments'),
      ...Array.from({ length: 5 }, () => 'people'),
      ...Array.from({ length: 5 }, () => 'people_skills'),
    ]);
  });

  it('has at most 30 words', async () => {
    const text = Array.from({ length: 31 }, (_, n) => `w${n}`).join(' ');
    expect((await refusal(company.find({ text }))).code).toBe('data_filter_invalid');
  });

  it.each([{}, { filters: { a: 1 } }, { text: 'a', sort: ['name'] }, { id: 'P1' }, { text: ' ' }])(
    'alone needs no category: %j',
    async (request) => {
      const said = await refusal(company.find(request));
      expect(said.code).toBe('data_category_unknown');
      expect(said.next).toMatch(/company-projects, departments, people/);
    },
  );

  it('an only category need not be named', async () => {
    const columns = { id: 'BIGINT' };
    const catalogue = await createCatalogue(engine, [{ id: 'one', columns, cells: [[1], [2]] }]);
    const { records } = await search({ catalogue, engine }, { filters: { id: 2 } });
    expect(records).toEqual([{ values: { id: 2 } }]);
  });
});

describe('one record', () => {
  it.each<[string, string, unknown]>([
    ['people', 'P2', 'Bob'],
    ['people', 'Émile', 'Émile'],
    ['skills', '2', 'Cooking'],
    ['company-projects', 'Tower', 'Tower'],
  ])('%s %s', async (category, id, name) => {
    const { records, total } = await company.find({ category, id });
    expect(total).toBe(1);
    expect(records[0]?.values['name']).toBe(name);
  });

  it('by several fields', async () => {
    const { records } = await company.find({ category: 'people_skills', id: 'P2/2' });
    expect(records).toEqual([{ values: { personId: 'P2', skillId: 2, level: 5 } }]);
  });

  it('that is not there: near ones', async () => {
    const said = await refusal(company.find({ category: 'people', id: 'emile' }));
    expect(said.code).toBe('data_record_unknown');
    expect(said.message).toBe('people has no record "emile".');
    expect(said.next).toBe('Did you mean "Émile"?');
    const far = await refusal(company.find({ category: 'people', id: 'qqqqqqqq' }));
    expect(far.next).toMatch(/text or filters/);
  });

  it('with a label that others have: their ids', async () => {
    const cells = [
      [1, 'x'],
      [2, 'x'],
    ];
    const columns = { id: 'BIGINT', name: 'VARCHAR' };
    const catalogue = await createCatalogue(engine, [{ id: 'twins', columns, cells }]);
    const said = await refusal(search({ catalogue, engine }, { category: 'twins', id: 'x' }));
    expect(said.code).toBe('data_record_unknown');
    expect(said.next).toBe('Take one of their ids: "1", "2".');
  });

  it('of a category without keys', async () => {
    const cells = [['a'], ['b']];
    const columns = { word: 'VARCHAR' };
    const catalogue = await createCatalogue(engine, [{ id: 'words', columns, cells }]);
    const said = await refusal(search({ catalogue, engine }, { category: 'words', id: 'a' }));
    expect(said.code).toBe('data_record_unknown');
  });
});

describe('connections', () => {
  const of = async (category: string, id: string) => {
    const { connections } = await company.find({ category, id, connections: true });
    return connections;
  };

  it('go in both directions, and over links to the far side', async () => {
    expect(await of('people', 'P1')).toEqual([
      {
        name: 'department',
        category: 'departments',
        count: 1,
        records: [{ id: 'D1', label: 'Engineering' }],
      },
      { name: 'manager', category: 'people', count: 0, records: [] },
      {
        name: 'people',
        category: 'people',
        count: 2,
        records: [
          { id: 'P2', label: 'Bob' },
          { id: 'P3', label: 'bob' },
        ],
      },
      {
        name: 'departments via head',
        category: 'departments',
        count: 1,
        records: [{ id: 'D1', label: 'Engineering' }],
      },
      {
        name: 'company-projects',
        category: 'company-projects',
        count: 1,
        records: [{ id: '1', label: 'Bridge' }],
      },
      {
        name: 'skills',
        category: 'skills',
        count: 2,
        records: [
          { id: '1', label: 'Welding' },
          { id: '2', label: 'Cooking' },
        ],
      },
    ]);
  });

  it('have names that filters understand', async () => {
    for (const { name, records } of (await of('people', 'P1')) ?? []) {
      const { id } = records[0] ?? {};
      if (id === undefined) continue;
      expect(await company.ids('people', { [name]: id }), name).toContain('P1');
    }
  });

  it('lead along lists of keys', async () => {
    const connections = await of('company-projects', 'Tunnel');
    expect(connections?.find(({ name }) => name === 'members')).toEqual({
      name: 'members',
      category: 'people',
      count: 1,
      records: [{ id: 'P3', label: 'bob' }],
    });
  });

  it('are shown up to five each, and counted', async () => {
    const cells = Array.from({ length: 9 }, (_, id) => [id, 'x'.repeat(200), 0]);
    const columns = { id: 'BIGINT', name: 'VARCHAR', top: 'BIGINT' };
    const relations = Array.from({ length: 60 }, (_, n) => ({
      name: `relation ${n}`,
      from: 'nodes',
      field: 'top',
      to: 'nodes',
    }));
    const few = await createCatalogue(
      engine,
      [{ id: 'nodes', columns, cells }],
      relations.slice(1, 2),
    );
    const request = { category: 'nodes', id: '0', connections: true };
    const answer = await search({ catalogue: few, engine }, request);
    const [, incoming] = answer.connections ?? [];
    expect(incoming?.count).toBe(9);
    expect(incoming?.records).toHaveLength(5);
    // Where there are many, they are only counted.
    const many = await createCatalogue(engine, [{ id: 'nodes', columns, cells }], relations);
    const crowded = await search({ catalogue: many, engine }, request);
    expect(JSON.stringify(crowded).length).toBeLessThan(9000);
    expect(crowded.records).toHaveLength(1);
  });

  it('belong to a record', async () => {
    const said = await refusal(company.find({ category: 'people', connections: true }));
    expect(said.code).toBe('data_record_unknown');
    expect(said.next).toBe('Give its id as well.');
  });
});

describe('why there is nothing', () => {
  it.each<[object, string | undefined]>([
    [
      { department: 'engineering' },
      'There is no department "engineering"; there is "Engineering".',
    ],
    [{ 'department.name': 'Sáles' }, 'There is no department.name "Sáles"; there is "Sales".'],
    [{ name: 'BOB' }, 'There is no name "BOB"; there are "Bob", "bob".'],
    [{ tags: ['cafe'] }, 'There is no tags "cafe"; there is "Café".'],
    [{ skills: 'Weldin' }, 'There is no skills "Weldin"; there is "Welding".'],
    [{ department: 'Legal' }, 'There is department "Legal", but no record of people leads to it.'],
    [{ name: 'qqqq' }, 'There is no name "qqqq".'],
    [
      { salary: { $gt: 10000 } },
      'No record of people matches {"salary":{"$gt":10000}}; its values go from 1000.5 to 9000.',
    ],
    [{ name: { $contains: 'qq' } }, 'No record of people matches {"name":{"$contains":"qq"}}.'],
    // The one of several that matches nothing.
    [
      { active: true, department: 'engineering' },
      'There is no department "engineering"; there is "Engineering".',
    ],
    [
      { $and: [{ active: true }, { age: { $gt: 1, $lt: 0 } }] },
      'No record of people matches {"age":{"$lt":0}}.',
    ],
    [
      { name: 'Bob', age: 41 },
      'Each condition matches records by itself, but no record matches all of them.',
    ],
  ])('%j', async (filters, expected) => {
    const { next, total } = await company.find({ category: 'people', filters });
    expect(total).toBe(0);
    expect(next).toBe(expected);
  });

  it('words', async () => {
    const one = await company.find({ category: 'people', text: 'bob qqq' });
    expect(one.next).toBe('No record of people contains "qqq".');
    const all = await company.find({ text: 'bob qqq' });
    expect(all.next).toBe('No record of any category contains all of these words.');
    expect(all.total).toBe(0);
  });

  it('no records at all', async () => {
    const columns = { id: 'BIGINT' };
    const catalogue = await createCatalogue(engine, [{ id: 'empty', columns, cells: [] }]);
    const { next } = await search({ catalogue, engine }, { category: 'empty' });
    expect(next).toBe('empty has no records.');
  });
});
