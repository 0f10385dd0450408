import { afterEach, beforeEach, expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import { DATA, DataCliWorkspace } from './data-cli-workspace.ts';

let workspace: DataCliWorkspace;
beforeEach(() => {
  workspace = new DataCliWorkspace();
});
afterEach(() => workspace[Symbol.asyncDispose]());

test(`${cites('CLI-DATA')} the catalogue is a table, and a category a page`, async () => {
  const overview = await workspace.data('describe');
  expect(overview).toMatchObject({ status: 0, stderr: '' });
  expect(overview.stdout).toMatch(/^departments {2}3 {2}id\*, name, city\n/);
  expect(overview.stdout).toMatch(/^people {7}5 {2}id\*, name, .*→ departments/m);
  expect(await workspace.json('describe', '--text', 'city')).toMatchObject({
    categories: [{ id: 'departments', rows: 3 }],
  });
  const { status, stdout } = await workspace.data('describe', 'people');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^People {2}people, 5 records, key id\n/);
  expect(stdout).toMatch(/^Field {9}Type {12}Missing {2}Values$/m);
  expect(stdout).toMatch(/^salary {8}number, unique {8}1 {2}68000 to 98000$/m);
  expect(stdout).toMatch(/^isRemote {6}boolean {18}true \(3\), false \(2\)$/m);
  expect(stdout).toMatch(/^Relations\n {2}department: departmentId → departments\.id$/m);
  expect(stdout).toMatch(/^Queries\n {2}\S.*\n {4}SELECT /m);
  expect(stdout).toMatch(/^Inferred\n {2}key id: unique$/m);
  const { category } = await workspace.json('describe', 'people', '--field', 'salary');
  expect(category).toMatchObject({ id: 'people', fields: [{ name: 'salary', type: 'number' }] });
});

test(`${cites('CLI-DATA')} statements are run, also those that come in`, async () => {
  const sql = 'SELECT title, count(*) AS people FROM people GROUP BY ALL ORDER BY 2 DESC, 1';
  expect(await workspace.data('query', sql, '--limit', '2')).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringMatching(
      /^title {7}people\nDeveloper {8}2\nAccountant {7}1\n.*there are more.*\n2 rows\n$/,
    ),
  });
  expect(await workspace.json('query', 'SELECT count(*) AS n FROM people')).toMatchObject({
    columns: [{ name: 'n', type: 'BIGINT' }],
    rows: [[5]],
    truncated: false,
  });
  const read = 'echo "SELECT id FROM departments ORDER BY id LIMIT 1" | baton data query - --csv';
  expect(await workspace.shell(read)).toEqual(['id\ndept-des\n', '', 0]);
  const cut = await workspace.data('query', 'FROM people', '--limit', '1', '--csv');
  expect(cut.stdout.split('\n')).toHaveLength(3);
  expect(cut.stderr).toMatch(/^baton: One row is shown and there are more/);
  expect(await workspace.data('query', 'DROP TABLE people')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('data_query_refused'),
  });
});

test(`${cites('CLI-DATA')} what stands out is told with how it was computed`, async () => {
  const { status, stdout } = await workspace.data('insights', 'people');
  expect(stdout).toMatch(/^quality {2}1 record .*email\.\n {9}\S/m);
  expect(stdout).toMatch(/^5 records of people$/m);
  expect(status).toBe(0);
  const { findings } = await workspace.json(
    'insights',
    'people',
    '--field',
    'salary',
    '--limit',
    '3',
  );
  expect(findings.length).toBeGreaterThan(0);
  for (const { fields } of findings) expect(fields).toContain('salary');
});

test(`${cites('CLI-DATA')} check has exit code 1 for errors only`, async () => {
  expect(await workspace.data('check')).toEqual({
    status: 0,
    stderr: '',
    stdout: '2 categories, 8 records, 0 errors, 0 warnings.\n',
  });
  workspace.write(
    `${DATA}/teams/records.json`,
    '[{"id":"t1","lead":"p1"},{"id":"t1","lead":"p9"}]',
  );
  workspace.write(
    `${DATA}/teams/category.json`,
    '{"id":"teams","name":"Teams","primaryKeys":["id"]}',
  );
  workspace.write(
    `${DATA}/teams/relationships.json`,
    '[{"key":"lead","targetCategory":"people","sourceField":"lead","targetField":"id","cardinality":"one"}]',
  );
  const { status, stdout } = await workspace.data('check');
  expect(stdout).toMatch(
    /^\.baton\/data\/teams\/records\.json:\d+: error: The key id is t1 in 2 records\.$/m,
  );
  expect(stdout).toMatch(/^\.baton\/data\/teams\/.*: error: One value of lead leads .*"p9"\.$/m);
  expect(stdout).toMatch(/^3 categories, 10 records, 2 errors, 0 warnings\.\n$/m);
  expect(status).toBe(1);
  expect((await workspace.data('check', '--json')).status).toBe(1);
  expect(await workspace.json('check')).toMatchObject({ categories: 3, problems: { length: 2 } });
});

test(`${cites('CLI-DATA', 'CLI-STRICT')} a wrong command line has exit code 2`, async () => {
  for (const [args, words] of [
    [['search'], 'What are you looking for?'],
    [['search', 'people', '--where', 'salary'], 'It has no operator.'],
    [['search', 'people', '--where', '!salary?'], 'It has no operator.'],
    [['search', 'people', '--where', 'salary>>3'], '>> is no operator.'],
    [['search', 'people', '--where', '!salary=3'], '! stands before a field'],
    [['search', 'people', '--where', '=3'], 'It names no field.'],
    [['search', 'people', '--where', '!'], 'It names no field.'],
    [['search', 'people', '--where', 'salary='], "'!salary' finds records without one"],
    [['search', 'people', '--filter', 'salary'], '--filter must be an object as JSON.'],
    [['search', 'people', '--connections'], 'Give its --id as well.'],
    [['search', 'people', '--id', 'p1', '--connections', '--csv'], 'Take --json.'],
    [['search', 'people', '--json', '--csv'], '--json and --csv exclude each other.'],
    [['search', 'people', '--limit', 'many'], '--limit must be a whole number.'],
    [['search', 'people', '--limit', '0'], '--limit must be at least 1.'],
    [['query'], 'Which statement?'],
    [['query', 'SELECT 1', '--limit', '0'], '--limit must be at least 1.'],
    [['query', '-'], 'Nothing came in.'],
    [['describe', '--field', 'x'], 'Name the category as well.'],
    [['describe', 'people', '--text', 'x'], 'Leave one of them out.'],
    [['insights'], 'Which category?'],
    [['check', '--csv'], '--csv'],
    [['serach', 'x'], 'data search'],
    [[], 'data search'],
  ] as const) {
    const { status, stdout, stderr } = await workspace.data(...args);
    expect(stderr, args.join(' ')).toContain(words);
    expect({ status, stdout }, args.join(' ')).toEqual({ status: 2, stdout: '' });
  }
});

test(`${cites('CLI-DATA', 'CLI-HELP')} every command has help, with examples that run`, async () => {
  workspace.write('salaries.sql', 'SELECT name, salary FROM people ORDER BY salary DESC\n');
  workspace.write(`${DATA}/policies.csv`, 'id,title\n1,Remote work\n2,Travel\n');
  const overview = (await workspace.baton('--help')).stdout;
  for (const name of ['describe', 'search', 'query', 'insights', 'check']) {
    const { status, stdout } = await workspace.data(name, '--help');
    expect(status).toBe(0);
    expect(overview).toMatch(new RegExp(`^ {2}data ${name} `, 'm'));
    const [, examples = ''] = /\nExamples:\n(.+)$/s.exec(stdout) ?? [];
    const lines = examples.trim().split(/\n\s*/);
    expect(lines[0]).toMatch(new RegExp(`^baton data ${name}`));
    for (const line of lines) {
      expect(await workspace.shell(`${line} > ${DATA}/../shown`), line).toEqual(['', '', 0]);
    }
  }
});
