import type { Field } from '../model.ts';
import type { TableFacts } from './facts.ts';
import { type FieldName, isMeasure, partOfPersonName, readName } from './field-names.ts';
import { knownTexts, OWN, ownness } from './keys.ts';
import type { Forms } from './table-names.ts';
import { CODE_WORDS, OWN_CODES } from './vocabulary.ts';

const MOST = 3;
/** Texts that are longer tell, and do not name. */
const LONGEST = 80;
/** A name that most records share with others names none of them. */
const LEAST_DIFFERENT = 0.5;
/** Of parts of names: there are many Annas. */
const LEAST_OF_PARTS = 0.1;

/** The fields by which people name a record, the best first. */
export function inferLabels({ fields, rows }: TableFacts, forms: Forms): string[] {
  if (rows === 0) return [];
  return fields
    .map((field, position) => ({ field, rank: labelRank(field, rows, forms) - position / 1000 }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, MOST)
    .map(({ field }) => field.name);
}

function labelRank(field: Field, rows: number, forms: Forms): number {
  if (field.type !== 'text' || field.missing > rows / 2 || !isShort(field)) return 0;
  const name = readName(field.name);
  const part = partOfPersonName(name);
  const different = field.distinct / (rows - field.missing);
  if (different < (part ? LEAST_OF_PARTS : LEAST_DIFFERENT)) return 0;
  if (part) return part === 'last' ? 70 : 65;
  const isOwn = ownness(name, forms) >= OWN;
  return name.isContact || (name.isSequence && !isOwn) ? 0 : rankByName(name, isOwn);
}

function rankByName(name: FieldName, isOwn: boolean): number {
  switch (name.mark) {
    case 'name':
      if (name.stem.length === 0) return 100;
      return isOwn ? 95 : 50;
    case 'login':
      return name.stem.length === 0 ? 30 : 0;
    case 'code':
      return isCode(name) && (name.stem.length === 0 || isOwn) ? 40 : 0;
    case 'id':
      return 0;
    default:
      return isOwn && !isMeasure(name) ? 80 : 0;
  }
}

/** `code`, `sku`, `order_no`: what people say to each other. */
function isCode({ words }: FieldName): boolean {
  return words.some((word) => CODE_WORDS.has(word) || OWN_CODES.has(word));
}

function isShort(field: Field): boolean {
  return knownTexts(field).every((text) => text.length <= LONGEST);
}
