import { BatonError } from '@baton/core';
import { HARMLESS_FUNCTIONS, TABLE_FUNCTIONS } from './functions.ts';
import { checkLength } from './large-values.ts';
import { listed, nearNames, shownName } from './near-names.ts';
import { lower, type Tree } from './parse.ts';

const EXPRESSIONS = new Set([
  'BETWEEN',
  'CASE',
  'CAST',
  'COLLATE',
  'COLUMN_REF',
  'COMPARISON',
  'CONJUNCTION',
  'CONSTANT',
  'FUNCTION',
  'LAMBDA',
  'OPERATOR',
  'POSITIONAL_REFERENCE',
  'STAR',
  'SUBQUERY',
  'WINDOW',
]);
const NODES = new Set([
  'SELECT_NODE',
  'SET_OPERATION_NODE',
  'RECURSIVE_CTE_NODE',
  'BASE_TABLE',
  'EMPTY',
  'EXPRESSION_LIST',
  'JOIN',
  'PIVOT',
  'SUBQUERY',
  'TABLE_FUNCTION',
  'DISTINCT_MODIFIER',
  'LIMIT_MODIFIER',
  'LIMIT_PERCENT_MODIFIER',
  'ORDER_MODIFIER',
  'ASCENDING',
  'DESCENDING',
  'ORDER_DEFAULT',
]);

/** Refuses a part of a statement that is not known to be harmless. */
export function checkPart(tree: Tree, isTableFunction = false): void {
  const { class: kind, type } = tree;
  if (typeof kind === 'string') checkExpression(tree, kind, isTableFunction);
  else if (type === 'SHOW_REF') {
    throw new BatonError(
      'data_query_refused',
      'DESCRIBE, SHOW and SUMMARIZE cannot run here.',
      'Use data_describe: it tells the fields, types, ranges and relations of a category.',
    );
  } else if (typeof type === 'string' && !NODES.has(type) && !type.endsWith('_TYPE_INFO')) {
    throw partRefused(type);
  }
}

function checkExpression(tree: Tree, kind: string, isTableFunction: boolean): void {
  if (kind === 'PARAMETER') {
    throw new BatonError(
      'data_query_refused',
      'The statement has a placeholder, and there are no values for it.',
      'Write the value itself into the statement.',
    );
  }
  if (!EXPRESSIONS.has(kind)) throw partRefused(kind);
  if (tree['export_state'] === true) throw partRefused('EXPORT_STATE');
  const called = tree['function_name'];
  if (typeof called !== 'string') return;
  const allowed = isTableFunction ? TABLE_FUNCTIONS : HARMLESS_FUNCTIONS;
  if (!allowed.has(lower(called))) throw functionRefused(called, isTableFunction);
  // Where a table stands, rows are made as they are wanted.
  if (!isTableFunction) checkLength(tree);
}

function functionRefused(called: string, isTableFunction: boolean): BatonError {
  if (isTableFunction) {
    return new BatonError(
      'data_query_refused',
      `The table function ${shownName(called)} cannot be used.`,
      'Read the categories of the catalogue. Of table functions there are unnest, range and generate_series.',
    );
  }
  const near = nearNames(lower(called), HARMLESS_FUNCTIONS);
  return new BatonError(
    'data_query_refused',
    `The function ${shownName(called)} cannot be used.`,
    near.length > 0
      ? `Near it are ${listed(near)}. Functions that tell about the machine or change something are not there.`
      : 'Use a function that computes from its arguments only.',
  );
}

export function partRefused(kind: string): BatonError {
  return new BatonError(
    'data_query_refused',
    `The statement has a part that cannot be used here: ${kind}.`,
    'Write it with the usual parts of a SELECT.',
  );
}
