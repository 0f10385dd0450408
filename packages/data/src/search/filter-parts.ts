import { isOperator, type Operator } from './operators.ts';

/** A condition that a filter wants beside others. */
export interface FilterPart {
  readonly filter: object;
  /** Of one operator on one name. */
  readonly asked?: { readonly name: string; readonly operator: Operator; readonly value: unknown };
}

/** What a filter consists of, as filters of one condition each where that can be. */
export function partsOf(filters: object): readonly FilterPart[] {
  return Object.entries(filters).flatMap(([name, value]): readonly FilterPart[] => {
    if (name === '$and' && Array.isArray(value)) return value.flatMap(partsOf);
    if (name.startsWith('$')) return [{ filter: { [name]: value } }];
    return operatorsOf(value).map(([operator, operand]) => {
      if (operator === undefined) return { filter: single(name, operand) };
      const asked = { name, operator, value: operand };
      return { filter: single(name, { [operator]: operand }), asked };
    });
  });
}

function operatorsOf(value: unknown): readonly (readonly [Operator | undefined, unknown])[] {
  if (Array.isArray(value)) return [['$in', value]];
  if (typeof value !== 'object' || value === null) return [['$eq', value]];
  const entries = Object.entries(value);
  const areOperators = entries.length > 0 && entries.every(([key]) => isOperator(key));
  return areOperators ? (entries as [Operator, unknown][]) : [[undefined, value]];
}

function single(name: string, value: unknown): object {
  return Object.fromEntries([[name, value]]);
}
