import { BatonError } from '@baton/core';
import { EngineError } from '../engine/engine.ts';
import type { Category } from '../model.ts';
import { listed, nearNames, shownName } from './near-names.ts';

const LONGEST_MESSAGE = 500;

/** How the engine begins what it says about a statement. All else is not the statement's fault. */
const ABOUT_THE_STATEMENT =
  /^(?:Binder|Parser|Conversion|Invalid Input|Invalid type|Mismatch Type|Out of Range|Not implemented|Sequence|Constraint|Catalog) Error: /;
const OUR_FAULT = /^Catalog Error: Table with name /;

const UNKNOWN_FIELD = [
  /^Referenced column "(.*)" (?:was )?not found/,
  /^\w+(?: \w+)* ".*" does not have a column named "(.*)"/,
  /^Column "(.*)" does not exist on (?:left|right) side of join/,
  /^Column "(.*)" in \w+ list not found/,
];

/** What an agent is told when its statement has failed; what it cannot help stays as it is. */
export function queryFailure(
  error: unknown,
  categories: readonly Category[],
  seconds: number,
): unknown {
  if (!(error instanceof EngineError)) return error;
  const options = { cause: error };
  switch (error.failure) {
    case 'statement':
      return statementFailure(error, categories);
    case 'time':
      return new BatonError(
        'data_query_too_slow',
        `The query took more than ${seconds} s.`,
        'Filter or aggregate before joining, join on keys, and ask for fewer rows.',
        options,
      );
    case 'memory':
      return new BatonError(
        'data_query_too_large',
        'The query needs more memory than it may have.',
        'Select fewer columns, filter earlier, or aggregate into fewer groups.',
        options,
      );
    case 'crash':
      return new BatonError(
        'data_engine_crashed',
        'The engine has ended while it computed this query.',
        'It starts again by itself. Ask for less at once: fewer rows, shorter texts.',
        options,
      );
    case 'cancelled':
      return new BatonError(
        'cancelled',
        'The query was cancelled.',
        'Call again if it is still wanted.',
        options,
      );
    default:
      return error;
  }
}

function statementFailure(error: EngineError, categories: readonly Category[]): unknown {
  const { message } = error;
  if (!ABOUT_THE_STATEMENT.test(message) || OUR_FAULT.test(message)) return error;
  const said = plainMessage(message);
  for (const pattern of UNKNOWN_FIELD) {
    const name = pattern.exec(said)?.[1];
    if (name !== undefined) return fieldUnknown(name, categories, error);
  }
  return new BatonError(
    'data_query_invalid',
    `The query cannot be computed: ${said}`,
    'Correct the statement; data_describe tells the fields and their types.',
    { cause: error },
  );
}

function fieldUnknown(
  name: string,
  categories: readonly Category[],
  cause: EngineError,
): BatonError {
  const fields = [...new Set(categories.flatMap((one) => one.fields.map((field) => field.name)))];
  const near = nearNames(name, fields);
  const tables = categories.map(({ table }) => table).join(', ');
  return new BatonError(
    'data_field_unknown',
    `There is no field ${shownName(name)} here${near.length > 0 ? `; near it are ${near.map(shownName).join(', ')}` : ''}.`,
    fields.length > 0
      ? `Fields of ${tables}: ${listed(fields)}.`
      : 'Add FROM with a category; data_describe lists them.',
    { cause },
  );
}

/** Without the kind of error, the excerpt of the statement and hints at settings. */
function plainMessage(message: string): string {
  const [said = ''] = message.replace(ABOUT_THE_STATEMENT, '').split(/\n+LINE \d+: /);
  const plain = said
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('Use "SET '))
    .join(' ');
  return plain.length > LONGEST_MESSAGE ? `${plain.slice(0, LONGEST_MESSAGE - 1)}…` : plain;
}
