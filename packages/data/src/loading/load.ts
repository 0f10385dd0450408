import { chmodSync, renameSync } from 'node:fs';
import { type Engine, EngineError, quoteName, quoteText } from '../engine/engine.ts';
import type { FieldType } from '../model.ts';
import { fold } from '../names.ts';
import type { Copied } from './copy-in.ts';
import { removeCopy } from './copy-in.ts';
import type { Format } from './formats.ts';
import { type Profile, profile } from './profile.ts';
import { type CsvOptions, stageCsv } from './stage-csv.ts';
import { stageJson } from './stage-json.ts';
import { stageParquet } from './stage-parquet.ts';
import { type RawColumn, type Remark, type Staged, Unusable } from './staged.ts';
import { chooseTypes } from './typing.ts';

/** What somebody has said about how a file is to be read. */
export interface ReadingRules {
  readonly csv: CsvOptions;
  /** By the folded names of fields. */
  readonly types: ReadonlyMap<string, FieldType>;
  /** Folded names of fields whose values are for nobody: they are not even kept. */
  readonly secret: ReadonlySet<string>;
}

export interface Loaded extends Profile {
  readonly remarks: readonly Remark[];
}

const ENDLESS_SECONDS = 300;

/** Reads a copy of a file of records and writes them, with types, as `to`. */
export async function load(
  engine: Engine,
  copy: string,
  {
    format,
    copied: file,
    rules,
    to,
  }: { format: Format; copied: Copied; rules: ReadingRules; to: string },
): Promise<Loaded> {
  const patient: Engine = {
    run: (sql, options) => engine.run(sql, { seconds: ENDLESS_SECONDS, ...options }),
  };
  const unfinished = `${copy}.done`;
  try {
    const staged = withoutSecrets(await stage(patient, copy, format, file, rules), rules);
    const columns = await chooseTypes(patient, staged, rules.types);
    const values = columns.map(({ name, value }) => `${value} AS ${quoteName(name)}`);
    const { rows: copied } = await patient.run(
      `COPY (SELECT ${values.join(', ')} FROM ${staged.from}) TO ${quoteText(unfinished)} (FORMAT parquet, COMPRESSION snappy, PARQUET_VERSION v2)`,
    );
    const from = `read_parquet(${quoteText(unfinished)})`;
    const found = await profile(patient, from, Number(copied[0]?.[0]), columns);
    chmodSync(unfinished, 0o600);
    renameSync(unfinished, to);
    return { ...found, remarks: [...encodingRemark(file), ...staged.remarks] };
  } catch (error) {
    throw error instanceof EngineError ? hostile(error) : error;
  } finally {
    for (const part of [`${copy}.stage`, `${copy}.records`, unfinished]) removeCopy(part);
  }
}

async function stage(
  engine: Engine,
  copy: string,
  format: Format,
  { head }: Copied,
  { csv }: ReadingRules,
): Promise<Staged> {
  switch (format) {
    case 'parquet':
      return stageParquet(engine, copy);
    case 'json':
    case 'ndjson':
      return stageJson(engine, copy, head, format);
    default: {
      const delimiter = csv.delimiter ?? (format === 'tsv' ? '\t' : undefined);
      return stageCsv(engine, copy, head, { ...csv, delimiter });
    }
  }
}

function withoutSecrets(staged: Staged, { secret }: ReadingRules): Staged {
  const namesOf = ({ name, given }: RawColumn) => [fold(name), fold(given)];
  const columns = staged.columns.filter((one) => !namesOf(one).some((name) => secret.has(name)));
  if (columns.length === 0) throw new Unusable('All of its fields are secret.');
  const folded = new Set(staged.columns.flatMap(namesOf));
  const unknown = [...secret].filter((name) => !folded.has(name));
  return { ...staged, columns, remarks: [...staged.remarks, ...unknown.map(noSuchSecret)] };
}

/** Whoever has misspelt it believes that the values are hidden. */
function noSuchSecret(name: string): Remark {
  const message = `No record has a field ${name}, which is said to be secret.`;
  return { line: 1, severity: 'warning', message };
}

function encodingRemark({ encoding }: Copied): Remark[] {
  if (encoding !== 'Windows-1252') return [];
  return [
    {
      line: 1,
      severity: 'warning',
      message: 'This is not UTF-8: it was read as Windows-1252. Save it in UTF-8.',
    },
  ];
}

/** What the engine cannot take is the file's fault; that it is missing, stopped or ended is not. */
function hostile(error: EngineError): Error {
  switch (error.failure) {
    case 'time':
      return new Unusable('It takes too long to read its records.');
    case 'statement':
      return new Unusable(`The engine cannot read it: ${error.message.split('\n')[0]}`);
    default:
      return error;
  }
}
