import { singular, wordsOf } from '../names.ts';
import {
  CODE_WORDS,
  CONTACTS,
  FIRST_NAMES,
  FULL_NAME_WORDS,
  GLUED_ID,
  ID_WORDS,
  LAST_NAMES,
  LOGIN_WORDS,
  MEASURES,
  NAME_WORDS,
  NOT_GLUED,
  OWN_CODES,
  ROLES,
  SEQUENCES,
} from './vocabulary.ts';

/** What a field's name says it is: `id` and `code` tell records apart. */
type Mark = 'id' | 'code' | 'name' | 'login';

export interface FieldName {
  readonly words: readonly string[];
  readonly folded: string;
  readonly mark?: Mark;
  /** What the id is of, in words with the last in the singular: `customer` in `customerNo`. */
  readonly stem: readonly string[];
  readonly stemFolded: string;
  /** Nothing but what kind of thing it is, such as `id`: every table may have one. */
  readonly isGeneric?: true;
  /** Whether the mark is a part of a word: `custno`. */
  readonly isGlued?: true;
  /** `line_no`: it counts within something else. */
  readonly isSequence?: true;
  readonly isContact?: true;
}

export function readName(name: string): FieldName {
  const words = withoutCounters(wordsOf(name));
  const found = separate(words) ?? glued(words);
  const stem = singularLast(found?.stem ?? words);
  const isSequence = found?.mark === 'code' && SEQUENCES.has(stem.at(-1) ?? '');
  return {
    words,
    folded: words.join(''),
    ...found,
    stem,
    stemFolded: stem.join(''),
    ...(isSequence && { isSequence }),
    ...(found?.mark !== 'id' && CONTACTS.has(stem[0] ?? '') && { isContact: true }),
    ...(stem.length === 0 && !words.some(isTelling) && { isGeneric: true }),
  };
}

function isTelling(word: string): boolean {
  return OWN_CODES.has(word) || LOGIN_WORDS.has(word);
}

/** `tag_1` and `author2` are one of several. */
function withoutCounters(words: readonly string[]): string[] {
  const kept = words.map((word) => word.replace(/(?<=\p{L}{3})\d$/u, ''));
  while (kept.length > 1 && /^\d+$/.test(kept.at(-1) ?? '')) kept.pop();
  return kept;
}

function singularLast(words: readonly string[]): string[] {
  const last = words.at(-1);
  return last === undefined ? [] : [...words.slice(0, -1), singular(last)];
}

interface Marked {
  readonly mark: Mark;
  readonly stem: readonly string[];
  readonly isGlued?: true;
}

function separate(words: readonly string[]): Marked | undefined {
  const { stem, marks } = withoutMarks(words);
  const mark = marks[0];
  if (!mark) return undefined;
  // Of people: the rest says which of their names it is, and not whose.
  if (mark === 'name' && FULL_NAME_WORDS.has(stem.at(-1) ?? '')) {
    return { mark, stem: stem.slice(0, -1) };
  }
  return { mark: marks.includes('id') ? 'id' : mark, stem };
}

function withoutMarks(words: readonly string[]): { stem: string[]; marks: Mark[] } {
  const stem = [...words];
  const marks: Mark[] = [];
  for (let word = stem.at(-1); word !== undefined; word = stem.at(-1)) {
    const mark = markOf(word);
    if (!mark || (marks.length > 0 && !isIdWord(word))) break;
    marks.push(mark);
    stem.pop();
  }
  // `fk_department`, `id_cliente`, `num_facture`
  if (stem.length > 1 && isIdWord(stem[0] ?? '')) {
    marks.push(markOf(stem[0] ?? '') ?? 'id');
    stem.shift();
  }
  return { stem, marks };
}

function markOf(word: string): Mark | undefined {
  if (ID_WORDS.has(word)) return 'id';
  if (CODE_WORDS.has(word) || OWN_CODES.has(word)) return 'code';
  if (NAME_WORDS.has(word)) return 'name';
  return LOGIN_WORDS.has(word) ? 'login' : undefined;
}

function isIdWord(word: string): boolean {
  return ID_WORDS.has(word) || CODE_WORDS.has(word);
}

function glued(words: readonly string[]): Marked | undefined {
  const last = words.at(-1) ?? '';
  if (NOT_GLUED.has(last)) return undefined;
  const [, stem, mark] = GLUED_ID.exec(last) ?? [];
  if (stem === undefined || mark === undefined) return undefined;
  return {
    mark: ID_WORDS.has(mark) ? 'id' : 'code',
    stem: [...words.slice(0, -1), stem],
    isGlued: true,
  };
}

export function isMeasure({ mark, words, isGlued }: FieldName): boolean {
  const last = words.at(-1) ?? '';
  // A line manager is somebody.
  if (ROLES.some(([roles]) => roles.has(last))) return false;
  return (mark === undefined || isGlued === true) && words.some((word) => MEASURES.has(word));
}

export function isIdNamed({ mark }: FieldName): boolean {
  return mark === 'id' || mark === 'code';
}

export function partOfPersonName({ words }: FieldName): 'first' | 'last' | undefined {
  const isName = words.length === 1 || words.at(-1) === 'name';
  if (!isName) return undefined;
  if (words.some((word) => LAST_NAMES.has(word))) return 'last';
  return words.some((word) => FIRST_NAMES.has(word)) ? 'first' : undefined;
}
