import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type KnowledgeWorkspace, knowledgeWorkspace } from './knowledge/knowledge-workspace.ts';
import { program } from './programs.ts';
import { cites } from './requirements.ts';
import { Terminal } from './terminal.ts';

const DATA = '.baton/data';
const DEPARTMENTS = `id,name,city
dept-eng,Engineering,Berlin
dept-des,Design,Lisbon
dept-fin,Finance,Berlin
`;
const PEOPLE = `id,name,email,departmentId,title,salary,startedOn,isRemote
p1,Ada Lovelace,ada@acme.example,dept-eng,Senior Developer,98000,2019-03-01,true
p2,José Álvarez,jose@acme.example,dept-eng,Developer,72000,2021-07-15,false
p3,田中 さくら,sakura@acme.example,dept-des,Designer,68000,2020-01-10,true
p4,Max Müller,max@acme.example,dept-fin,Accountant,,2018-11-05,false
p5,Zoë Quinn,,dept-eng,Developer,71000.50,2023-02-01,true
`;

/** What acts on a terminal, or hides what stands beside it. */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/;

let workspace: KnowledgeWorkspace;
beforeEach(() => {
  workspace = knowledgeWorkspace({
    [`${DATA}/departments.csv`]: DEPARTMENTS,
    [`${DATA}/people.csv`]: PEOPLE,
  });
});
afterEach(() => workspace[Symbol.asyncDispose]());
const baton = (...args: readonly string[]) => workspace.baton('data', ...args);
const json = async (...args: readonly string[]) =>
  JSON.parse((await baton(...args, '--json')).stdout);

function terminal(columns: number, ...args: readonly string[]): Terminal {
  return new Terminal([process.execPath, program, 'data', ...args], {
    cwd: workspace.path,
    env: workspace.env,
    columns,
  });
}

/** A line as people type it: its output, errors and exit code. */
async function shell(line: string): Promise<readonly [string, string, unknown]> {
  const command = line.replace(/\bbaton data/, `'${process.execPath}' '${program}' data`);
  const { path: cwd, env } = workspace;
  const child = spawn('sh', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const status = new Promise((resolve) => child.once('close', resolve));
  return [...(await Promise.all([text(child.stdout), text(child.stderr)])), await status];
}

/** CSV as a reader takes it, by RFC 4180. */
function readCsv(csv: string): string[][] {
  const cells = csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g);
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of cells) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

test(`${cites('CLI-DATA')} the catalogue is a table, and a category a page`, async () => {
  const overview = await baton('describe');
  expect(overview).toMatchObject({ status: 0, stderr: '' });
  expect(overview.stdout).toMatch(/^departments {2}3 {2}\S.*\n {16}id\*, name, city\n/);
  expect(overview.stdout).toMatch(/^people {7}5 {2}\S.*\n {16}id\*, name, .*→ departments/m);
  expect(await json('describe', '--text', 'city')).toMatchObject({
    categories: [{ id: 'departments', rows: 3 }],
  });
  const { status, stdout } = await baton('describe', 'people');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^People {2}people, 5 records, key id\n/);
  expect(stdout).toMatch(/^Field {9}Type {12}Missing {2}Values$/m);
  expect(stdout).toMatch(/^salary {8}number, unique {8}1 {2}68000 to 98000$/m);
  expect(stdout).toMatch(/^isRemote {6}boolean {18}true \(3\), false \(2\)$/m);
  expect(stdout).toMatch(/^Relations\n {2}department: departmentId → departments\.id$/m);
  expect(stdout).toMatch(/^Queries\n {2}\S.*\n {4}SELECT /m);
  expect(stdout).toMatch(/^Inferred\n {2}key id: unique$/m);
  const { category } = await json('describe', 'people', '--field', 'salary');
  expect(category).toMatchObject({ id: 'people', fields: [{ name: 'salary', type: 'number' }] });
});

async function expectIds(where: readonly string[], ids: string): Promise<void> {
  const conditions = where.flatMap((one) => ['--where', one]);
  const { status, stdout } = await baton(
    ...['search', 'people', '--csv', '--field', 'id', ...conditions],
  );
  const expected = `id\n${ids.replaceAll(' ', '\n')}\n`;
  expect({ status, stdout }, where.join()).toEqual({ status: 0, stdout: expected });
}

test(`${cites('CLI-DATA')} records are found by how their values compare`, async () => {
  await expectIds(['department=Engineering'], 'p1 p2 p5');
  await expectIds(['department.city != Berlin'], 'p3');
  await expectIds(['salary>=72000'], 'p1 p2');
  await expectIds(['salary>72000'], 'p1');
  await expectIds(['salary<71000.5'], 'p3');
  await expectIds(['salary<=71000.5'], 'p3 p5');
  await expectIds(['title~DEVEL'], 'p1 p2 p5');
});

test(`${cites('CLI-DATA')} records are found by what they have, and by several conditions`, async () => {
  await expectIds(['name ~ "jose alvarez"'], 'p2');
  await expectIds(['"title"="Developer"'], 'p2 p5');
  await expectIds(['email?'], 'p1 p2 p3 p4');
  await expectIds(['!"salary"'], 'p4');
  await expectIds(['isRemote=true', 'startedOn<2021'], 'p1 p3');
  await expectIds(['salary>70000', 'salary<80000'], 'p2 p5');
  const both = ['--filter', '{"$or":[{"id":"p3"},{"id":"p4"}]}', '--where', '!salary'];
  const { records } = await json('search', 'people', ...both);
  expect(records).toMatchObject([{ values: { id: 'p4' } }]);
});

test(`${cites('CLI-DATA')} what looks like a number is one only where the field has numbers`, async () => {
  const codes = [{ code: '007', at: { n: 7 } }, { code: '7', at: { n: '7' } }, { code: 'x' }];
  workspace.write(`${DATA}/codes.json`, JSON.stringify(codes));
  for (const [where, code] of [
    ['code=007', '007'],
    ['code=7', '7'],
    ['at.n=7', '007'],
    ['at.n="7"', '7'],
  ] as const) {
    const { stdout } = await baton('search', 'codes', '--csv', '--field', 'code', '--where', where);
    expect(stdout, where).toBe(`code\n${code}\n`);
  }
});

test(`${cites('CLI-DATA')} records are a table with the fields and the order that were asked for`, async () => {
  const asked = ['--field', 'name', '--field', 'salary', '--field', 'department.city'];
  expect(await baton('search', 'people', '--sort', 'salary desc', ...asked)).toEqual({
    status: 0,
    stderr: '',
    stdout: [
      'name           salary  department.city',
      'Ada Lovelace    98000  Berlin',
      'José Álvarez    72000  Berlin',
      'Zoë Quinn     71000.5  Berlin',
      '田中 さくら     68000  Lisbon',
      'Max Müller             Berlin',
      '5 records',
      '',
    ].join('\n'),
  });
  const first = await baton('search', 'people', '--sort=-salary', '--limit', '2');
  const [, cursor = ''] = /2 of 5 records; more with --cursor (\S+)\n$/.exec(first.stdout) ?? [];
  const second = await baton('search', 'people', '--sort=-salary', '--cursor', cursor);
  expect(second.stdout).toMatch(/^id[^\n]*\np5 [^\n]*\np3 [^\n]*\np4 [^\n]*\n3 of 5 records\n$/);
});

test(`${cites('CLI-DATA')} words are looked for in one category, or in all`, async () => {
  expect((await json('search', 'people', 'JOSE', 'develop')).records).toMatchObject([
    { values: { id: 'p2' } },
  ]);
  const everywhere = await baton('search', 'design');
  expect(everywhere.stdout).toMatch(
    /^departments {2}1 record\nid .*\ndept-des .*\n\npeople {2}1 record\nid .*\np3 .*\n\n2 records\n$/,
  );
  const { stdout } = await baton('search', 'design', '--csv');
  expect(readCsv(stdout).map(([category, id]) => [category, id])).toEqual([
    ['category', 'id'],
    ['departments', 'dept-des'],
    ['people', 'p3'],
  ]);
});

test(`${cites('CLI-DATA')} nothing found has exit code 1, and the reason`, async () => {
  expect(await baton('search', 'people', '--where', 'department=Enginering')).toEqual({
    status: 1,
    stderr: '',
    stdout: 'There is no department "Enginering"; there is "Engineering".\n',
  });
  const misspelt = await baton('search', 'poeple');
  expect(misspelt).toMatchObject({ status: 1, stderr: '' });
  expect(misspelt.stdout).toContain('Did you mean "people"?');
  expect((await baton('search', 'poeple', '--where', 'id=p1')).stderr).toMatch(
    /^baton: data_category_unknown: There is no category "poeple"\. Did you mean "people"\?/,
  );
  const csv = await baton('search', 'departments', 'nowhere', '--csv');
  expect(csv).toMatchObject({ status: 1, stdout: 'id,name,city\n' });
  expect((await baton('search', 'people', '--where', 'salry=1')).stderr).toContain('"salary"');
});

test(`${cites('CLI-DATA')} one record is a page, with what it is connected with`, async () => {
  expect(await baton('search', 'departments', '--id', 'Engineering', '--connections')).toEqual({
    status: 0,
    stderr: '',
    stdout: [
      'id    dept-eng',
      'name  Engineering',
      'city  Berlin',
      '',
      'Connections',
      'people  3 of people: Ada Lovelace (p1), José Álvarez (p2), Zoë Quinn (p5)',
      '',
    ].join('\n'),
  });
  expect(await baton('search', 'people', '--id', 'p9')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('data_record_unknown'),
  });
});

test(`${cites('CLI-DATA')} JSON and CSV go through all pages, and have long values to their end`, async () => {
  const orders = Array.from({ length: 450 }, (_, at) => ({
    orderNo: `A${at}`,
    note: at % 200 === 7 ? `${'long '.repeat(700)}${at}.` : `note ${at}`,
    lines: at === 9 ? Array.from({ length: 60 }, (_, line) => line) : [at],
  }));
  workspace.write(`${DATA}/orders.json`, JSON.stringify(orders));
  const { status, stdout, stderr } = await baton('search', 'orders', '--csv');
  const rows = readCsv(stdout);
  expect(rows.slice(1).map((row) => row.slice(0, 2))).toEqual(
    orders.map(({ orderNo, note }) => [orderNo, note]),
  );
  expect(status).toBe(0);
  // What no answer carries is told beside it.
  expect(stderr).toBe('baton: Long values are cut in 1 record: they end in ….\n');
  const answer = await json('search', 'orders', '--limit', '300', '--field', 'orderNo');
  expect(answer).toMatchObject({ total: 450, truncated: true, records: { length: 300 } });
  expect(answer.records.at(-1)).toEqual({ values: { orderNo: 'A299' } });
  expect((await json('search', 'orders')).records).toHaveLength(20);
});

test(`${cites('CLI-DATA')} JSON has values exactly as they are in the records`, async () => {
  const value = 'a\u200d\u001b[2Jb\r\tc';
  workspace.write(`${DATA}/odd.json`, JSON.stringify([{ id: 1, [value]: value }, { id: 2 }]));
  expect((await json('search', 'odd', '--where', 'id=1')).records).toEqual([
    { values: { id: 1, [value]: value } },
  ]);
  expect((await json('query', 'FROM odd ORDER BY id LIMIT 1')).rows).toEqual([[1, value]]);
});

test(`${cites('CLI-DATA', 'T46')} what a spreadsheet would run is text in CSV`, async () => {
  const formulas = [
    '=HYPERLINK("http://evil.example")',
    '+49 30 1',
    '-cmd|calc',
    '@SUM(A1)',
    '-1-1',
  ];
  const behind = ['\tx', '\rx', '  =1+1', '\n=1+1', '\u00a0@x', '\u200b=1+1', '＝1+1', '--1'];
  const run = [...formulas, ...behind];
  const plain = ['-12.5', '+5', '-1e3', 'a=b', '', ' x', 'said "hi", then\nleft', '#1', "'=x"];
  const cells = [...run, ...plain];
  const name = '=cmd';
  workspace.write(
    `${DATA}/cells.json`,
    JSON.stringify(cells.map((value, at) => ({ at: `n${at}`, [name]: value, list: ['=x'] }))),
  );
  for (const args of [
    ['search', 'cells', '--csv'],
    ['query', 'FROM cells', '--csv'],
  ]) {
    const { stdout } = await baton(...args);
    const [header, ...rows] = readCsv(stdout);
    expect(header).toEqual(['at', `'${name}`, 'list']);
    const written = rows.map(([, value]) => value);
    expect(written.slice(run.length), args[0]).toEqual(plain);
    for (const [at, value] of run.entries()) {
      const visible = value.replace(/[\r\u200b]/g, (one) => (one === '\r' ? '\\u000d' : '\\u200b'));
      expect(written[at], JSON.stringify(value)).toBe(`'${visible}`);
    }
    expect(new Set(rows.map(([, , list]) => list))).toEqual(new Set(['["=x"]']));
  }
});

test(`${cites('CLI-DATA')} statements are run, also those that come in`, async () => {
  const sql = 'SELECT title, count(*) AS people FROM people GROUP BY ALL ORDER BY 2 DESC, 1';
  expect(await baton('query', sql, '--limit', '2')).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringMatching(
      /^title {7}people\nDeveloper {8}2\nAccountant {7}1\n.*there are more.*\n2 rows\n$/,
    ),
  });
  expect(await json('query', 'SELECT count(*) AS n FROM people')).toMatchObject({
    columns: [{ name: 'n', type: 'BIGINT' }],
    rows: [[5]],
    truncated: false,
  });
  const read = 'echo "SELECT id FROM departments ORDER BY id LIMIT 1" | baton data query - --csv';
  expect(await shell(read)).toEqual(['id\ndept-des\n', '', 0]);
  const cut = await baton('query', 'FROM people', '--limit', '1', '--csv');
  expect(cut.stdout.split('\n')).toHaveLength(3);
  expect(cut.stderr).toMatch(/^baton: One row is shown and there are more/);
  expect(await baton('query', 'DROP TABLE people')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('data_query_refused'),
  });
});

test(`${cites('CLI-DATA')} what stands out is told with how it was computed`, async () => {
  const { status, stdout } = await baton('insights', 'people');
  expect(stdout).toMatch(/^quality {2}1 record .*email\.\n {9}\S/m);
  expect(stdout).toMatch(/^5 records of people$/m);
  expect(status).toBe(0);
  const { findings } = await json('insights', 'people', '--field', 'salary', '--limit', '3');
  expect(findings.length).toBeGreaterThan(0);
  for (const { fields } of findings) expect(fields).toContain('salary');
});

test(`${cites('CLI-DATA')} check has exit code 1 for errors only`, async () => {
  expect(await baton('check')).toEqual({
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
  const { status, stdout } = await baton('check');
  expect(stdout).toMatch(
    /^\.baton\/data\/teams\/records\.json:\d+: error: The key id is t1 in 2 records\.$/m,
  );
  expect(stdout).toMatch(/^\.baton\/data\/teams\/.*: error: One value of lead leads .*"p9"\.$/m);
  expect(stdout).toMatch(/^3 categories, 10 records, 2 errors, 0 warnings\.\n$/m);
  expect(status).toBe(1);
  expect((await baton('check', '--json')).status).toBe(1);
  expect(await json('check')).toMatchObject({ categories: 3, problems: { length: 2 } });
});

test(`${cites('CLI-DATA')} on a terminal, columns that have no room are left out and told`, async () => {
  await using narrow = terminal(60, 'search', 'people', '--limit', '3');
  expect(await narrow.exited).toBe(0);
  expect(narrow.lines.slice(0, 6)).toEqual([
    'id  name          email                departmentId',
    'p1  Ada Lovelace  ada@acme.example     dept-eng',
    'p2  José Álvarez  jose@acme.example    dept-eng',
    'p3  田中 さくら   sakura@acme.example  dept-des',
    'Not shown, for want of room: title, salary, startedOn, isRemote (--field shows what it names)',
    expect.stringMatching(/^3 of 5 records; more with --cursor /),
  ]);
  expect(narrow.raw).toContain('\u001b[1mid');
  await using wide = terminal(200, 'search', 'people');
  expect(await wide.exited).toBe(0);
  expect(wide.lines[0]).toMatch(/^id .* isRemote$/);
  expect(wide.screen).not.toContain('Not shown');
  await using long = terminal(60, 'query', "SELECT repeat('x', 100) AS x, 1 AS n");
  expect(await long.exited).toBe(0);
  expect(long.lines.slice(0, 2)).toEqual([`x${' '.repeat(58)}n`, `${'x'.repeat(56)}…  1`]);
});

const EVIL = '\u001b[2J\u001b]0;x\u0007\u009b31m\u202e\u200b';

test.each([
  ['describe', 'describe evil', 'search evil', 'search evil --csv', 'search evil --json'],
  ['search hydra', 'search evil --id e1 --connections', `search evil --where f${EVIL}=${EVIL}`],
  [`search ${EVIL}`, 'query FROM/**/evil', 'query FROM/**/evil --csv', `query ${EVIL}`],
  ['insights evil', 'insights evil --json', 'check', 'check --json'],
])(
  `${cites('CLI-DATA', 'T29')} nothing in records acts on what shows or reads it (%#)`,
  async (...commands) => {
    const records = [1, 2, 3].map((at) => ({
      id: `e${at}`,
      [`f${EVIL}`]: `hydra ${EVIL}\r[INFO] fake`,
      list: [EVIL],
      object: { [EVIL]: EVIL },
    }));
    workspace.write(`${DATA}/evil.json`, JSON.stringify(records));
    workspace.write(`${DATA}/b\u001b[2J.csv`, 'a,b\n1,2,3\n');
    for (const command of commands) {
      const args = command.split(' ');
      await using screen = terminal(300, ...args);
      const [{ stdout, stderr }] = await Promise.all([baton(...args), screen.exited]);
      expect(`${stdout}${stderr}`, command).not.toMatch(UNSAFE);
      expect(screen.strayControls, command).toEqual([]);
      expect(screen.screen, command).not.toMatch(UNSAFE);
      // It was there to be shown.
      if (args[0] !== 'insights') expect(screen.screen, command).toContain('\\u001b');
    }
  },
);

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
    const { status, stdout, stderr } = await baton(...args);
    expect(stderr, args.join(' ')).toContain(words);
    expect({ status, stdout }, args.join(' ')).toEqual({ status: 2, stdout: '' });
  }
});

test(`${cites('CLI-DATA', 'CLI-HELP')} every command has help, with examples that run`, async () => {
  workspace.write('salaries.sql', 'SELECT name, salary FROM people ORDER BY salary DESC\n');
  workspace.write(`${DATA}/policies.csv`, 'id,title\n1,Remote work\n2,Travel\n');
  const overview = (await workspace.baton('--help')).stdout;
  for (const name of ['describe', 'search', 'query', 'insights', 'check']) {
    const { status, stdout } = await baton(name, '--help');
    expect(status).toBe(0);
    expect(overview).toMatch(new RegExp(`^ {2}data ${name} `, 'm'));
    const [, examples = ''] = /\nExamples:\n(.+)$/s.exec(stdout) ?? [];
    const lines = examples.trim().split(/\n\s*/);
    expect(lines[0]).toMatch(new RegExp(`^baton data ${name}`));
    for (const line of lines) {
      expect(await shell(`${line} > ${DATA}/../shown`), line).toEqual(['', '', 0]);
    }
  }
});
