import { readYaml } from './yaml-source.ts';

export interface PlacedProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Markdown that may have data before it, which may be in order. */
export interface LooseFrontMatter {
  /** Absent if there is none, or none that can be read. */
  readonly data?: unknown;
  /** The lines between the marks as they stand there, if there are any. */
  readonly source?: string;
  readonly problems: readonly PlacedProblem[];
  /** All that follows, without the blank lines that set it off. */
  readonly body: string;
  /** The line that the body begins with, from 1. */
  readonly bodyLine: number;
}

interface Split {
  readonly source?: string;
  /** Everything before the end of the front matter, without the closing mark. */
  readonly head: string;
  readonly isOpen: boolean;
  readonly body: string;
  readonly bodyLine: number;
}

const OPENING = /^---[ \t]*\r?\n/;
const CLOSING = /(?<=\n)---[ \t]*(?:\r?\n|$)/g;
const BLANK_LINES = /^(?:[ \t]*\r?\n)+/;

/** For texts that other programs have written: whatever is wrong is told, and the rest is read. */
export async function readLooseFrontMatter(text: string): Promise<LooseFrontMatter> {
  const { source, head, isOpen, body, bodyLine } = split(text);
  const rest = { body, bodyLine };
  if (isOpen) {
    const message = 'The front matter has no end: a line --- must follow it.';
    return { problems: [{ line: 1, column: 1, message }], ...rest };
  }
  if (source === undefined) return { problems: [], ...rest };
  if (source.trim() === '') return { problems: [], source, ...rest };
  const yaml = await readYaml(head, 'The front matter');
  const problems = yaml.problems.map(({ offset, message }) => ({
    ...yaml.positionOf(offset),
    message,
  }));
  return { ...(yaml.content && { data: yaml.content.value }), source, problems, ...rest };
}

/** A text without its front matter. */
export function withoutFrontMatter(text: string): string {
  return split(text).body;
}

function split(text: string): Split {
  const whole = text.replace(/^\ufeff/, '');
  const opening = OPENING.exec(whole)?.[0];
  if (!opening) return { head: '', isOpen: false, ...bodyOf(whole, 0) };
  CLOSING.lastIndex = opening.length;
  const closing = CLOSING.exec(whole);
  if (!closing) return { head: '', isOpen: true, ...bodyOf(whole, 0) };
  return {
    source: whole.slice(opening.length, closing.index),
    head: whole.slice(0, closing.index),
    isOpen: false,
    ...bodyOf(whole, closing.index + closing[0].length),
  };
}

function bodyOf(whole: string, from: number): Pick<Split, 'body' | 'bodyLine'> {
  const rest = whole.slice(from);
  const start = from + (BLANK_LINES.exec(rest)?.[0].length ?? 0);
  return { body: whole.slice(start), bodyLine: whole.slice(0, start).split('\n').length };
}
