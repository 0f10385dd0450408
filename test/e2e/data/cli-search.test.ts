import { afterEach, beforeEach, expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import { DATA, DataCliWorkspace, readCsv } from './data-cli-workspace.ts';

let workspace: DataCliWorkspace;
beforeEach(() => {
  workspace = new DataCliWorkspace();
});
afterEach(() => workspace[Symbol.asyncDispose]());

async function expectIds(where: readonly string[], ids: string): Promise<void> {
  const conditions = where.flatMap((one) => ['--where', one]);
  const { status, stdout } = await workspace.data(
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
  const { records } = await workspace.json('search', 'people', ...both);
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
    const { stdout } = await workspace.data(
      'search',
      'codes',
      '--csv',
      '--field',
      'code',
      '--where',
      where,
    );
    expect(stdout, where).toBe(`code\n${code}\n`);
  }
});

test(`${cites('CLI-DATA')} records are a table with the fields and the order that were asked for`, async () => {
  const asked = ['--field', 'name', '--field', 'salary', '--field', 'department.city'];
  expect(await workspace.data('search', 'people', '--sort', 'salary desc', ...asked)).toEqual({
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
  const first = await workspace.data('search', 'people', '--sort=-salary', '--limit', '2');
  const [, cursor = ''] = /2 of 5 records; more with --cursor (\S+)\n$/.exec(first.stdout) ?? [];
  const second = await workspace.data('search', 'people', '--sort=-salary', '--cursor', cursor);
  expect(second.stdout).toMatch(/^id[^\n]*\np5 [^\n]*\np3 [^\n]*\np4 [^\n]*\n3 of 5 records\n$/);
});

test(`${cites('CLI-DATA')} words are looked for in one category, or in all`, async () => {
  expect((await workspace.json('search', 'people', 'JOSE', 'develop')).records).toMatchObject([
    { values: { id: 'p2' } },
  ]);
  const everywhere = await workspace.data('search', 'design');
  expect(everywhere.stdout).toMatch(
    /^departments {2}1 record\nid .*\ndept-des .*\n\npeople {2}1 record\nid .*\np3 .*\n\n2 records\n$/,
  );
  const { stdout } = await workspace.data('search', 'design', '--csv');
  expect(readCsv(stdout).map(([category, id]) => [category, id])).toEqual([
    ['category', 'id'],
    ['departments', 'dept-des'],
    ['people', 'p3'],
  ]);
});

test(`${cites('CLI-DATA')} nothing found has exit code 1, and the reason`, async () => {
  expect(await workspace.data('search', 'people', '--where', 'department=Enginering')).toEqual({
    status: 1,
    stderr: '',
    stdout: 'There is no department "Enginering"; there is "Engineering".\n',
  });
  const misspelt = await workspace.data('search', 'poeple');
  expect(misspelt).toMatchObject({ status: 1, stderr: '' });
  expect(misspelt.stdout).toContain('Did you mean "people"?');
  expect((await workspace.data('search', 'poeple', '--where', 'id=p1')).stderr).toMatch(
    /^baton: data_category_unknown: There is no category "poeple"\. Did you mean "people"\?/,
  );
  const csv = await workspace.data('search', 'departments', 'nowhere', '--csv');
  expect(csv).toMatchObject({ status: 1, stdout: 'id,name,city\n' });
  expect((await workspace.data('search', 'people', '--where', 'salry=1')).stderr).toContain(
    '"salary"',
  );
});

test(`${cites('CLI-DATA')} one record is a page, with what it is connected with`, async () => {
  expect(
    await workspace.data('search', 'departments', '--id', 'Engineering', '--connections'),
  ).toEqual({
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
  expect(await workspace.data('search', 'people', '--id', 'p9')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('data_record_unknown'),
  });
});
