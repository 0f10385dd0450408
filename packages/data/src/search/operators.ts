export const OPERATORS = [
  '$eq',
  '$ne',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$in',
  '$nin',
  '$contains',
  '$regex',
  '$exists',
] as const;

export type Operator = (typeof OPERATORS)[number];

export const CONNECTIVES = ['$and', '$or', '$not'] as const;

export function isOperator(key: string): key is Operator {
  return OPERATORS.some((operator) => operator === key);
}
