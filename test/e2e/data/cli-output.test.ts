import { afterEach, beforeEach, expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import { DATA, DataCliWorkspace, readCsv } from './data-cli-workspace.ts';

/** What acts on a terminal, or hides what stands beside it. */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/;

let workspace: DataCliWorkspace;
beforeEach(() => {
  workspace = new DataCliWorkspace();
});
afterEach(() => workspace[Symbol.asyncDispose]());

test(`${cites('CLI-DATA')} JSON and CSV go through all pages, and have long values to their end`, async () => {
  const orders = Array.from({ length: 450 }, (_, at) => ({
    orderNo: `A${at}`,
    note: at % 200 === 7 ? `${'long '.repeat(700)}${at}.` : `note ${at}`,
    lines: at === 9 ? Array.from({ length: 60 }, (_, line) => line) : [at],
  }));
  workspace.write(`${DATA}/orders.json`, JSON.stringify(orders));
  const { status, stdout, stderr } = await workspace.data('search', 'orders', '--csv');
  const rows = readCsv(stdout);
  expect(rows.slice(1).map((row) => row.slice(0, 2))).toEqual(
    orders.map(({ orderNo, note }) => [orderNo, note]),
  );
  expect(status).toBe(0);
  // What no answer carries is told beside it.
  expect(stderr).toBe('baton: Long values are cut in 1 record: they end in ….\n');
  const answer = await workspace.json('search', 'orders', '--limit', '300', '--field', 'orderNo');
  expect(answer).toMatchObject({ total: 450, truncated: true, records: { length: 300 } });
  expect(answer.records.at(-1)).toEqual({ values: { orderNo: 'A299' } });
  expect((await workspace.json('search', 'orders')).records).toHaveLength(20);
});

test(`${cites('CLI-DATA')} JSON has values exactly as they are in the records`, async () => {
  const value = 'a\u200d\u001b[2Jb\r\tc';
  workspace.write(`${DATA}/odd.json`, JSON.stringify([{ id: 1, [value]: value }, { id: 2 }]));
  expect((await workspace.json('search', 'odd', '--where', 'id=1')).records).toEqual([
    { values: { id: 1, [value]: value } },
  ]);
  expect((await workspace.json('query', 'FROM odd ORDER BY id LIMIT 1')).rows).toEqual([
    [1, value],
  ]);
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
    const { stdout } = await workspace.data(...args);
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

test(`${cites('CLI-DATA')} on a terminal, columns that have no room are left out and told`, async () => {
  await using narrow = workspace.terminal(60, 'search', 'people', '--limit', '3');
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
  await using wide = workspace.terminal(200, 'search', 'people');
  expect(await wide.exited).toBe(0);
  expect(wide.lines[0]).toMatch(/^id .* isRemote$/);
  expect(wide.screen).not.toContain('Not shown');
  await using long = workspace.terminal(60, 'query', "SELECT repeat('x', 100) AS x, 1 AS n");
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
      await using screen = workspace.terminal(300, ...args);
      const [{ stdout, stderr }] = await Promise.all([workspace.data(...args), screen.exited]);
      expect(`${stdout}${stderr}`, command).not.toMatch(UNSAFE);
      expect(screen.strayControls, command).toEqual([]);
      expect(screen.screen, command).not.toMatch(UNSAFE);
      // It was there to be shown.
      if (args[0] !== 'insights') expect(screen.screen, command).toContain('\\u001b');
    }
  },
);
