import { catalogueOfTables } from './catalogue-of-tables.ts';

/** A small catalogue with names of every kind. */
export function createCompany() {
  return catalogueOfTables([
    {
      table: 'people',
      aliases: ['staff'],
      sql: `FROM (VALUES (1, 'Ada', 'd1', 5200.00::DECIMAL(18,2), DATE '2019-03-01', ['sql']),
        (2, 'Björn', 'd1', 4100.50, DATE '2021-07-15', ['go', 'sql']),
        (3, 'Chloé', 'd2', NULL, DATE '2022-01-10', []))
        t(id, name, departmentId, salary, hired, skills)`,
    },
    {
      table: 'departments',
      sql: `FROM (VALUES ('d1', 'Engineering'), ('d2', 'Sales')) t(id, name)`,
    },
    {
      id: 'company-policies',
      table: 'company_policies',
      name: 'Company Policies',
      aliases: ['policies', 'Richtlinien für alle'],
      sql: `FROM (VALUES (1, 'Remote work', repeat('Stay reachable. ', 40)),
        (2, 'Travel', 'Take the train.')) t(id, title, "full text")`,
    },
    { id: 'a/notes', table: 'a_notes', aliases: ['notes'], sql: `SELECT 1 AS id, 'x' AS note` },
    { id: 'b/notes', table: 'b_notes', aliases: ['notes'], sql: `SELECT 2 AS id, 'y' AS note` },
  ]);
}
