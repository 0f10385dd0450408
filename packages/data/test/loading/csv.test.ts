import { cites } from '@baton/e2e/requirements';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestEngine } from '../test-engine.ts';
import { readRecords } from './load-under-test.ts';

const made = createTestEngine();
afterAll(() => made[Symbol.asyncDispose]());

const read = (content: string | Uint8Array, rules = {}, name = 'some.csv') =>
  readRecords(made, name, content, rules);

async function column(values: readonly string[], rules = {}, name = 'a') {
  const quoted = values.map((value) => `"${value.replaceAll('"', '""')}"`);
  const { fields, rows } = await read(
    `n,${name}\n${quoted.map((v, at) => `${at},${v}`).join('\n')}\n`,
    rules,
  );
  const field = fields[name];
  return {
    type: field?.type,
    sqlType: field?.sqlType,
    values: rows.map((row) => row[1]),
    notes: field?.notes,
  };
}

describe(`${cites('DATA-TYPES')} separated values`, () => {
  it('keeps zeros in front, plus signs and long numbers as texts', async () => {
    expect(await column(['007', '12345'])).toMatchObject({
      type: 'text',
      values: ['007', '12345'],
    });
    expect(await column(['+4912', '+4913'])).toMatchObject({ type: 'text' });
    expect(await column(['12345678901234567890', '1'])).toMatchObject({
      type: 'text',
      values: ['12345678901234567890', '1'],
    });
    expect(await column(['0x1F', '0xff'])).toMatchObject({
      type: 'text',
      values: ['0x1F', '0xff'],
    });
    expect(await column(['1E5', '2E3'])).toMatchObject({ type: 'text' });
  });

  it('reads integers, exact decimals and floats', async () => {
    expect(await column(['0', '-12', '123456789012345678'])).toMatchObject({
      type: 'integer',
      values: [0, -12, '123456789012345678'],
    });
    expect(await column(['1', '12.50', '-0.1'])).toMatchObject({
      type: 'number',
      sqlType: 'DECIMAL(18,2)',
      values: [1, 12.5, -0.1],
    });
    expect(await column(['1.5e-3', '2.25'])).toMatchObject({ type: 'number', sqlType: 'DOUBLE' });
    expect(await column(['3.141592653589793', '1.0'])).toMatchObject({ sqlType: 'DOUBLE' });
  });

  it('reads decimal commas and grouped thousands if nothing else can be meant', async () => {
    expect(await column(['1.234,50', '7,5', '12'])).toMatchObject({
      type: 'number',
      values: [1234.5, 7.5, 12],
      notes: ['written with decimal commas'],
    });
    expect(await column(['1,234.50', '7.5', '12'])).toMatchObject({
      type: 'number',
      values: [1234.5, 7.5, 12],
    });
    expect(await column(['1,234', '5,678'])).toMatchObject({
      type: 'text',
      values: ['1,234', '5,678'],
    });
  });

  it('takes NULL as a text among texts, and as missing among numbers and dates', async () => {
    expect(await column(['NULL', 'Smith', 'N/A'])).toMatchObject({
      type: 'text',
      values: ['NULL', 'Smith', 'N/A'],
    });
    expect(await column(['NULL', '12', 'n/a', ''])).toMatchObject({
      type: 'integer',
      values: [null, 12, null, null],
      notes: ['2 × NULL, n/a or the like read as missing'],
    });
  });

  it('reads dates in several forms, also in one column', async () => {
    expect(
      await column(['2024-05-01', '31.12.2025', '1 Feb 2024', 'March 3, 2024', '2024/7/9']),
    ).toMatchObject({
      type: 'date',
      values: ['2024-05-01', '2025-12-31', '2024-02-01', '2024-03-03', '2024-07-09'],
    });
    expect(await column(['13/02/2024', '01/03/2024'])).toMatchObject({
      type: 'date',
      values: ['2024-02-13', '2024-03-01'],
    });
    expect(await column(['02/13/2024', '01/03/2024'])).toMatchObject({
      type: 'date',
      values: ['2024-02-13', '2024-01-03'],
    });
    expect(await column(['02/03/2024', '01/03/2024'])).toMatchObject({
      type: 'text',
      notes: ['dates whose day and month cannot be told apart: kept as text'],
    });
    expect(await column(['2024-02-30', '2024-01-01'])).toMatchObject({ type: 'text' });
    expect(await column(['20240501', '20241231'], {}, 'orderDate')).toMatchObject({ type: 'date' });
    expect(await column(['20240501', '20241231'], {}, 'number')).toMatchObject({ type: 'integer' });
  });

  it('reads times, with offsets as UTC', async () => {
    expect(
      await column([
        '2024-05-01T12:30:00Z',
        '2024-05-01 12:30',
        '2024-05-01T12:30:00+02:00',
        '2024-05-01T12:30:00.250-0330',
        '2024-05-02',
      ]),
    ).toMatchObject({
      type: 'timestamp',
      values: [
        '2024-05-01T12:30:00',
        '2024-05-01T12:30:00',
        '2024-05-01T10:30:00',
        '2024-05-01T16:00:00.25',
        '2024-05-02T00:00:00',
      ],
    });
    expect(await column(['31.12.2024 23:59', '1.1.2025 0:00:05'])).toMatchObject({
      type: 'timestamp',
      values: ['2024-12-31T23:59:00', '2025-01-01T00:00:05'],
    });
  });

  it('reads booleans', async () => {
    expect(await column(['true', 'FALSE'])).toMatchObject({
      type: 'boolean',
      values: [true, false],
    });
    expect(await column(['yes', 'no'])).toMatchObject({ type: 'boolean' });
    expect(await column(['0', '1'])).toMatchObject({ type: 'integer' });
  });

  it('looks at all values, not at the first ones', async () => {
    const values = [...Array(6000).keys()].map(String);
    expect(await column([...values, 'X1'])).toMatchObject({
      type: 'text',
      notes: ['6000 of 6001 values are integers, the others are not: kept as text'],
    });
    expect(await column([...values, '0.5'])).toMatchObject({
      type: 'number',
      sqlType: 'DECIMAL(18,1)',
    });
  });

  it('does what is declared, and tells what that loses', async () => {
    expect(await column(['1', '2'], { types: new Map([['a', 'text']]) })).toMatchObject({
      type: 'text',
      values: ['1', '2'],
    });
    expect(await column(['1', 'two', '3'], { types: new Map([['a', 'integer']]) })).toMatchObject({
      type: 'integer',
      values: [1, null, 3],
      notes: ['1 values are no integer and read as missing'],
    });
    expect(await column(['01', '2'], { types: new Map([['a', 'number']]) })).toMatchObject({
      type: 'number',
      values: [null, 2],
    });
    expect(await column(['02/03/2024'], { types: new Map([['a', 'date']]) })).toMatchObject({
      type: 'date',
    });
  });

  it('reads quotes, line breaks in them, blanks, accents and a byte order mark', async () => {
    const { rows, fields } = await read(
      '\ufeffname,note\r\n"Émile ""Zo"", Nö",\r\nx,"two\nlines"\r\n',
    );
    expect(Object.keys(fields)).toEqual(['name', 'note']);
    expect(rows).toEqual([
      ['Émile "Zo", Nö', null],
      ['x', 'two\nlines'],
    ]);
  });

  it('finds the separator', async () => {
    for (const [separator, name] of [
      [';', 'a.csv'],
      ['\t', 'a.tsv'],
      ['|', 'a.csv'],
      ['\t', 'a.csv'],
    ] as const) {
      const { rows } = await read(`a${separator}b, c\n1${separator}"x, y"\n`, {}, name);
      expect([separator, rows]).toEqual([separator, [[1, 'x, y']]]);
    }
    expect((await read('name\nAda\nBob\n')).rows).toEqual([['Ada'], ['Bob']]);
    expect((await read('a:b\n1:2\n', { csv: { delimiter: ':' } })).rows).toEqual([[1, 2]]);
  });

  it('names columns that have no name or the same one', async () => {
    const { fields } = await read('id,,Name,name,"we""ird col"\n1,2,3,4,5\n');
    expect(Object.keys(fields)).toEqual(['id', 'column2', 'Name', 'name_2', 'we"ird col']);
    const without = await read('1,2024-01-01,x\n2,2024-01-02,y\n');
    expect(Object.keys(without.fields)).toEqual(['column1', 'column2', 'column3']);
    expect(without.rows).toHaveLength(2);
  });

  it('reports rows with too few or too many values, with their lines', async () => {
    const { rows, remarks } = await read('a,b,c\n1,2,3\n4,5\n6,7,8,9\n"q\nq",11,12\n13\n');
    expect(rows).toEqual([
      ['1', 2, 3],
      ['4', 5, null],
      ['q\nq', 11, 12],
      ['13', null, null],
    ]);
    expect(remarks).toEqual([
      '3: 2 lines (3, 7) have too few values: the rest is missing.',
      '4: Line 4 has too many values and is left out.',
    ]);
  });

  it('reports quotes that do not end, and mixed line ends do no harm', async () => {
    const broken = await read('a,b\n1,2\n3,"4\n5,6\n');
    expect(broken.rows).toEqual([[1, 2]]);
    expect(broken.remarks).toEqual(['3: Line 3 cannot be read and is left out.']);
    expect((await read('a,b\r\n1,2\n3,4\r\n')).rows).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('reads UTF-16 and Windows-1252', async () => {
    expect((await read(Buffer.from('\ufeffa;b\nÄ;ß\n', 'utf16le'))).rows).toEqual([['Ä', 'ß']]);
    const { rows, remarks } = await read(Buffer.from('a;b\nÄ;ß\n', 'latin1'));
    expect(rows).toEqual([['Ä', 'ß']]);
    expect(remarks).toEqual([
      '1: This is not UTF-8: it was read as Windows-1252. Save it in UTF-8.',
    ]);
  });

  it('refuses what has no records', async () => {
    await expect(read('')).rejects.toThrow('This is empty');
    await expect(read('a,b\0\n1,2')).rejects.toThrow(
      'line 1: This is not a text: it holds a NUL byte.',
    );
    expect(await read('a,b\n')).toMatchObject({ rows: [], remarks: [] });
  });

  it('does not even copy what is secret', async () => {
    const { fields, rows } = await read('id,salary\n1,70000\n', { secret: new Set(['salary']) });
    expect(Object.keys(fields)).toEqual(['id']);
    expect(rows).toEqual([[1]]);
  });

  it('counts what is missing, different and most frequent', async () => {
    const { fields } = await read('id,team,score\n1,red,5\n2,red,\n3,blue,7\n');
    expect(fields['id']).toMatchObject({
      isUnique: true,
      missing: 0,
      distinct: 3,
      min: 1,
      max: 3,
      samples: ['1', '2', '3'],
    });
    expect(fields['team']).toMatchObject({
      distinct: 2,
      top: [
        { value: 'red', count: 2 },
        { value: 'blue', count: 1 },
      ],
    });
    expect(fields['team']).not.toHaveProperty('isUnique');
    expect(fields['score']).toMatchObject({ missing: 1, min: 5, max: 7 });
  });
});
