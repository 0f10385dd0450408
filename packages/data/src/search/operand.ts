import type { Field, FieldType } from '../model.ts';
import { readSpan, type Span } from './times.ts';

/** A value of a filter, read as the field wants it. */
export type Operand =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'boolean'; readonly text: 'true' | 'false' }
  | { readonly kind: 'time'; readonly span: Span };

export type Scalar = string | number | boolean;

/** What values of a field, or the items of its lists, are compared as. */
export function comparedAs({ type, sqlType }: Field): FieldType {
  if (type !== 'list') return type;
  if (sqlType.startsWith('VARCHAR')) return 'text';
  if (sqlType.startsWith('BOOLEAN')) return 'boolean';
  return sqlType.startsWith('BIGINT') ? 'integer' : 'number';
}

/** Nothing if it cannot be compared with values of this type. */
export function readOperand(type: FieldType, value: Scalar): Operand | undefined {
  switch (type) {
    case 'text':
    case 'binary':
      return { kind: 'text', text: String(value) };
    case 'integer':
    case 'number':
      return numberOf(value);
    case 'boolean':
      return booleanOf(value);
    case 'date':
    case 'timestamp': {
      const span = readSpan(String(value));
      return span && { kind: 'time', span };
    }
    default:
      return ofItsKind(value);
  }
}

function ofItsKind(value: Scalar): Operand | undefined {
  if (typeof value === 'string') return { kind: 'text', text: value };
  return typeof value === 'number' ? numberOf(value) : booleanOf(value);
}

function booleanOf(value: Scalar): Operand | undefined {
  const text = String(value);
  return text === 'true' || text === 'false' ? { kind: 'boolean', text } : undefined;
}

const NUMBER = /^([+-]?)0*(\d*)\.?(\d*)$/;
const WITH_EXPONENT = /^[+-]?(?:\d+\.?|\d*\.\d+)e[+-]?\d{1,4}$/i;
const MOST_DIGITS = 100;

function numberOf(value: Scalar): Operand | undefined {
  if (typeof value === 'boolean') return undefined;
  const text = String(value);
  if (text.length > MOST_DIGITS) return undefined;
  // With all its digits: a double may not hold them.
  const [, sign, whole, part] = NUMBER.exec(text) ?? [];
  if (part !== undefined && /\d/.test(text)) {
    const fraction = part.replace(/0+$/, '');
    const digits = `${whole || '0'}${fraction && `.${fraction}`}`;
    return { kind: 'number', text: sign === '-' ? `-${digits}` : digits };
  }
  const isNumber = WITH_EXPONENT.test(text) && Number.isFinite(Number(text));
  return isNumber ? { kind: 'number', text: String(Number(text)) } : undefined;
}

/** The type that loses nothing of a number and compares fastest with a column. */
export function numberType(column: string, text: string): string {
  if (column === 'DOUBLE' || /e/i.test(text)) return 'DOUBLE';
  const [whole = '', part = ''] = text.replace('-', '').split('.');
  if (column === 'BIGINT' && part === '' && isInt64(text)) return column;
  const [, width, scale] = /^DECIMAL\((\d+), ?(\d+)\)$/.exec(column) ?? [];
  if (part.length <= Number(scale) && whole.length <= Number(width) - Number(scale)) return column;
  return whole.length <= 19 && part.length <= 19 ? 'DECIMAL(38,19)' : 'DOUBLE';
}

function isInt64(digits: string): boolean {
  const value = BigInt(digits);
  return BigInt.asIntN(64, value) === value;
}
