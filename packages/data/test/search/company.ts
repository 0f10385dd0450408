import { BatonError } from '@baton/core';
import { createCatalogue, type RelationOfTest, type TableOfTest } from '../catalogues.ts';
import type { Engine } from '../engine-under-test.ts';
import { type SearchAnswer, type SearchRequest, search } from '../search-under-test.ts';

const PEOPLE: TableOfTest = {
  id: 'people',
  aliases: ['Staff', 'employees'],
  columns: {
    id: 'VARCHAR',
    name: 'VARCHAR',
    departmentId: 'VARCHAR',
    managerId: 'VARCHAR',
    age: 'BIGINT',
    salary: 'DECIMAL(18,2)',
    score: 'DOUBLE',
    active: 'BOOLEAN',
    hired: 'DATE',
    seen: 'TIMESTAMP',
    tags: 'VARCHAR[]',
    marks: 'BIGINT[]',
    address: 'JSON',
    badge: 'BLOB',
  },
  about: {
    salary: { aliases: ['pay', 'Monthly Wage'], min: 1000.5, max: 9000 },
    hired: { aliases: ['start date'], min: '2019-12-31', max: '2024-06-01' },
    age: { top: [{ value: '41', count: 1 }] },
  },
  cells: [
    [
      'P1',
      'Zoë Ångström',
      'D1',
      null,
      41,
      9000,
      0.5,
      true,
      '2020-01-01',
      '2024-05-01 12:30:00',
      ['go', 'Café'],
      [1, 5],
      {
        city: 'Oslo',
        zip: '0150',
        pets: [
          { kind: 'cat', age: 3 },
          { kind: 'dog', age: 9 },
        ],
      },
      '\\x00\\xFF',
    ],
    [
      'P2',
      'Bob',
      'D1',
      'P1',
      30,
      1000.5,
      -2.25,
      false,
      '2024-05-31',
      '2024-05-01 12:30:00.25',
      ['Go'],
      [],
      { city: 'Bergen', zip: 5003, pets: [] },
      null,
    ],
    [
      'P3',
      'bob',
      'D2',
      'P1',
      null,
      null,
      null,
      null,
      '2019-12-31',
      null,
      [],
      [7],
      { city: null },
      null,
    ],
    [
      'P4',
      'Émile',
      'D9',
      'P3',
      55,
      4200.25,
      1e20,
      true,
      '2024-06-01',
      '2023-12-31 23:59:59',
      null,
      null,
      null,
      null,
    ],
    [
      'P5',
      'Ann',
      null,
      'P9',
      19,
      2000,
      3,
      true,
      null,
      '2024-01-01 00:00:00',
      ['a', null],
      [2],
      ['x', 5, true],
      null,
    ],
  ],
};

const DEPARTMENTS: TableOfTest = {
  id: 'departments',
  columns: { id: 'VARCHAR', name: 'VARCHAR', city: 'VARCHAR', headId: 'VARCHAR' },
  cells: [
    ['D1', 'Engineering', 'Oslo', 'P1'],
    ['D2', 'Sales', 'Bergen', 'P3'],
    ['D3', 'Legal', 'Oslo', null],
  ],
};

const SKILLS: TableOfTest = {
  id: 'skills',
  columns: { id: 'BIGINT', name: 'VARCHAR' },
  cells: [
    [1, 'Welding'],
    [2, 'Cooking'],
    [3, '4711'],
  ],
};

const LINK: TableOfTest = {
  id: 'people_skills',
  isLink: true,
  key: ['personId', 'skillId'],
  labels: [],
  columns: { personId: 'VARCHAR', skillId: 'BIGINT', level: 'BIGINT' },
  cells: [
    ['P1', 1, 3],
    ['P1', 2, 1],
    ['P2', 2, 5],
    ['P3', 3, 2],
    ['P4', 99, 1],
  ],
};

/** Lists of keys, a field that is called as its relation, and names that need quotes. */
const PROJECTS: TableOfTest = {
  id: 'company-projects',
  table: 'company_projects',
  name: 'Company Projects',
  columns: {
    'Project "Nr."': 'BIGINT',
    name: 'VARCHAR',
    department: 'VARCHAR',
    member_ids: 'VARCHAR[]',
    'start.date': 'DATE',
  },
  key: ['Project "Nr."'],
  cells: [
    [1, 'Bridge', 'D1', ['P1', 'P2'], '2024-05-01'],
    [2, 'Tunnel', 'D2', ['P3', 'P9'], '2024-05-02'],
    [3, 'Tower', 'D7', [], null],
    [4, 'Road', null, null, '2025-01-01'],
  ],
};

const RELATIONS: readonly RelationOfTest[] = [
  { name: 'department', from: 'people', field: 'departmentId', to: 'departments' },
  { name: 'manager', from: 'people', field: 'managerId', to: 'people' },
  { name: 'head', from: 'departments', field: 'headId', to: 'people' },
  { name: 'person', from: 'people_skills', field: 'personId', to: 'people' },
  { name: 'skill', from: 'people_skills', field: 'skillId', to: 'skills' },
  { name: 'department', from: 'company-projects', field: 'department', to: 'departments' },
  {
    name: 'members',
    from: 'company-projects',
    field: 'member_ids',
    to: 'people',
    cardinality: 'many',
  },
];

/** A small company in an engine, and what is asked about it. */
export async function createCompany(engine: Engine) {
  const tables = [PEOPLE, DEPARTMENTS, SKILLS, LINK, PROJECTS];
  const catalogue = await createCatalogue(engine, tables, RELATIONS);
  const find = (request: SearchRequest): Promise<SearchAnswer> =>
    search({ catalogue, engine }, request);
  /** Keys of the records that match. */
  const ids = async (category: string, filters: object, more: SearchRequest = {}) => {
    const { records } = await find({ category, filters, ...more });
    return records.map(({ values }) => values['id'] ?? values['Project "Nr."'] ?? values);
  };
  return { catalogue, find, ids, engine };
}

/** What a refused request says. */
export async function refusal(asked: Promise<unknown>) {
  const error = await asked.then(
    () => new Error('It was not refused.'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof BatonError)) throw error;
  const { code, message, next } = error;
  return { code, message, next };
}
