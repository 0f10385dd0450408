import type { Field } from '../model.ts';
import type { TableFacts } from './facts.ts';
import { type FieldName, isMeasure, readName } from './field-names.ts';
import { wordsHint } from './name-hints.ts';
import type { Forms } from './table-names.ts';
import { ROW_NUMBERS } from './vocabulary.ts';

/** Texts longer than this tell, and do not name. */
const LONGEST_NAME = 60;
/** Of an id of something else, which may just happen to be unique: only if there is no better one. */
const ELSEWHERE = 10;
/** Of what people call a record. */
const NAMES = 20;
/** So many whole numbers that are all different are no measure. */
const MANY = 10;
/** From this on a name is one of the table's own. */
export const OWN = 0.6;

interface SingleKey {
  readonly name: string;
  /** It is what people call a record: a key only if there is no other. */
  readonly isName: boolean;
}

/** The field that tells the records of a table apart, by what it is called and by its values. */
export function singleKey({ fields, rows }: TableFacts, forms: Forms): SingleKey | undefined {
  let best: { readonly name: string; readonly rank: number } | undefined;
  for (const [position, field] of fields.entries()) {
    if (!field.isUnique || field.missing > 0 || rows === 0) continue;
    const rank = keyRank(field, position, rows, forms) - Math.min(position, 9) / 10;
    if (rank > 0 && rank > (best?.rank ?? 0)) best = { name: field.name, rank };
  }
  return best && { name: best.name, isName: best.rank <= NAMES && best.rank > NAMES - 1 };
}

function keyRank(field: Field, position: number, rows: number, forms: Forms): number {
  if (field.type !== 'text' && field.type !== 'integer') return 0;
  const name = readName(field.name);
  const isOwn = ownness(name, forms) >= OWN;
  if (name.isContact || (name.isSequence && !isOwn) || !isShort(field)) return 0;
  const isAtHome = name.stem.length === 0 || isOwn;
  const elsewhere = position === 0 ? 50 : ELSEWHERE;
  switch (name.mark) {
    case 'id':
      return isAtHome ? 100 : elsewhere;
    case 'code':
      return isAtHome ? 85 : elsewhere;
    case 'login':
      return 30;
    case 'name':
      return isAtHome ? NAMES : 0;
    default:
      return plainRank(field, name, position, rows, isOwn);
  }
}

/** Without a word that says so. */
function plainRank(
  field: Field,
  name: FieldName,
  position: number,
  rows: number,
  isOwn: boolean,
): number {
  if (position === 0 && ROW_NUMBERS.has(name.folded)) return isSerial(field, rows) ? 15 : 0;
  if (isMeasure(name)) return 0;
  if (isOwn) return plainOwnRank(field, position);
  if (position > 0) return 0;
  if (field.type === 'text') return looksLikeCodes(field) ? 35 : 0;
  return isSerial(field, rows) || rows >= MANY ? 25 : 0;
}

function plainOwnRank(field: Field, position: number): number {
  if (field.type === 'integer') return 40;
  return position === 0 || looksLikeCodes(field) ? 60 : NAMES;
}

/** How far a field's name is the one of its own table: `order_no` of orders. */
export function ownness({ stem, words, mark }: FieldName, forms: Forms): number {
  const said = stem.length > 0 ? stem : mark === 'id' || mark === 'code' ? [] : words;
  if (said.length === 0) return 0;
  const all = said.join('');
  return Math.max(0, ...forms.map((form) => wordsHint(said, all, form.words, form.folded)));
}

export function isShort(field: Field): boolean {
  return field.type !== 'text' || knownTexts(field).every((text) => text.length <= LONGEST_NAME);
}

/** 1, 2, 3 … in some order. */
function isSerial({ min, max }: Field, rows: number): boolean {
  return typeof min === 'number' && typeof max === 'number' && max - min === rows - 1 && min <= 1;
}

/** No blanks, and digits or capitals. */
function looksLikeCodes(field: Field): boolean {
  const known = knownTexts(field);
  return known.length > 0 && known.every((text) => CODE.test(text) && /\d|^\p{Lu}+$/u.test(text));
}

const CODE = /^[\p{L}\d._/:-]{2,40}$/u;

/** The values of a field that are known without asking. Long ones have been cut. */
export function knownTexts({ min, max, top, samples = [] }: Field): string[] {
  const edges = [min, max].filter((value) => typeof value === 'string');
  return [...edges, ...top.map(({ value }) => value), ...samples];
}
