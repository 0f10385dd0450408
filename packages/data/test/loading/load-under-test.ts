import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { quoteText } from '../engine-under-test.ts';
import { copyIn, formatOf, load, type ReadingRules } from '../loading-under-test.ts';
import type { Cell, Field } from '../model-under-test.ts';
import type { createTestEngine } from '../test-engine.ts';

const NO_RULES: ReadingRules = { csv: {}, types: new Map(), secret: new Set() };

export interface Read {
  readonly fields: Readonly<Record<string, Field>>;
  readonly rows: readonly (readonly Cell[])[];
  readonly remarks: readonly string[];
}

/** Loads a file with this content, as a catalogue does. */
export async function readRecords(
  { engine, folder }: Pick<ReturnType<typeof createTestEngine>, 'engine' | 'folder'>,
  name: string,
  content: string | Uint8Array,
  rules: Partial<ReadingRules> = {},
): Promise<Read> {
  const place = mkdtempSync(path.join(folder, 'load-'));
  const root = path.join(place, 'root');
  mkdirSync(root);
  writeFileSync(path.join(root, name), content);
  const copy = path.join(place, 'copy');
  const format = formatOf(name);
  if (!format) throw new Error(`${name} has no format`);
  const copied = await copyIn(root, name, copy, { format, now: Date.now });
  if ('problem' in copied) throw new Error(`line ${copied.line}: ${copied.problem}`);
  const to = path.join(place, 'records.parquet');
  const loaded = await load(engine, copy, {
    format,
    copied,
    rules: { ...NO_RULES, ...rules },
    to,
  });
  const { rows } = await engine.run(`FROM read_parquet(${quoteText(to)})`);
  return {
    fields: Object.fromEntries(loaded.fields.map((field) => [field.name, field])),
    rows,
    remarks: loaded.remarks.map(({ line, message }) => `${line}: ${message}`),
  };
}
