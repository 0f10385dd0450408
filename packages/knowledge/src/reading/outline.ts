/** A stretch of Markdown from a heading to the next. */
export interface Section {
  /** Empty for what comes before the first heading. */
  readonly heading: string;
  /** 0 for what comes before the first heading. */
  readonly level: number;
  readonly start: number;
  /** Behind the heading. */
  readonly text: number;
  readonly end: number;
}

const HEADING = /^ {0,3}(#{1,6})(?=[ \t\r]|$)(.*)/;
const UNDERLINE = /^ {0,3}(=+|-{2,})[ \t]*\r?$/;
/** A line that can be a heading if the next one underlines it: no list, quote, table or the like. */
const UNDERLINED = /^ {0,3}(?!\d+[.)]\s)[^\s#>|+*`~<=-]/;
// With a backtick behind it, it is code within a line.
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const LONGEST_HEADING = 300;

/** Tells line by line what belongs to a code block. */
export class Fences {
  #open: string | undefined;

  /** What would end the block that the last line was in, or `undefined`. */
  get open(): string | undefined {
    return this.#open;
  }

  /** Whether a line belongs to a code block, its marks included. */
  read(line: string): boolean {
    const mark = FENCE.exec(line)?.[1];
    if (this.#open === undefined) {
      this.#open = mark;
      return mark !== undefined;
    }
    if (mark?.startsWith(this.#open) && line.trim() === mark) this.#open = undefined;
    return true;
  }
}

/** What follows belongs to the last of them. */
const MOST_SECTIONS = 2000;

/** The sections of a Markdown text; what stands in a code block is no heading. */
export function outline(text: string): Section[] {
  const sections: Section[] = [];
  let open = { heading: '', level: 0, start: 0, text: 0 };
  let at = 0;
  const fences = new Fences();
  const lines = text.split('\n');
  const begin = (heading: string, level: number, start: number, behind: number) => {
    if (sections.length === MOST_SECTIONS) return;
    if (start > 0) sections.push({ ...open, end: start });
    open = { heading: plain(heading), level, start, text: Math.min(behind, text.length) };
  };
  for (const [index, line] of lines.entries()) {
    const behind = at + line.length + 1;
    if (!fences.read(line)) {
      const heading = HEADING.exec(line);
      const level = heading ? 0 : underlineLevel(lines, index);
      const above = lines[index - 1] ?? '';
      if (heading) begin(heading[2] ?? '', heading[1]?.length ?? 1, at, behind);
      else if (level > 0) begin(above, level, at - above.length - 1, behind);
    }
    at = behind;
  }
  sections.push({ ...open, end: text.length });
  return sections.filter(({ start, end }) => text.slice(start, end).trim() !== '');
}

/** 1 or 2 if a line underlines the one above it, which must stand alone, else 0. */
function underlineLevel(lines: readonly string[], index: number): number {
  const mark = UNDERLINE.exec(lines[index] ?? '')?.[1];
  if (!mark) return 0;
  const isHeading = UNDERLINED.test(lines[index - 1] ?? '') && !(lines[index - 2] ?? '').trim();
  return isHeading ? (mark.startsWith('=') ? 1 : 2) : 0;
}

/** Without the marks of emphasis, code and links, and those that close a heading. */
function plain(heading: string): string {
  return heading
    .slice(0, LONGEST_HEADING)
    .trim()
    .replace(/(?:^|[ \t]+)#+$/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .trim();
}

/** How many characters of a text are blank lines at its beginning. */
export function blankLinesBefore(text: string): number {
  return /^(?:[ \t]*\r?\n)*/.exec(text)?.[0].length ?? 0;
}

/** The items of lists in a text, or else its lines. */
export function itemsOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  const items = lines.flatMap((line) => /^(?:[-*+]|\d{1,9}[.)])\s+(.+)$/.exec(line)?.[1] ?? []);
  const found = items.length > 0 ? items : lines;
  return found.filter(Boolean).map((item) => item.replace(/[`*]/g, ''));
}

/** The first paragraph that is a text, and no list, table, code or line of bold words. */
export function firstParagraph(text: string, sections: readonly Section[]): string {
  for (const section of sections) {
    for (const paragraph of paragraphsOf(text.slice(section.text, section.end))) {
      const isText = /^[\p{L}\p{N}*_"'“(]/u.test(paragraph) && !/^(?:\*|\d+[.)])\s/.test(paragraph);
      const isBold = /^\*\*[^*]+\*\*$/.test(paragraph);
      if (isText && !isBold) return paragraph.replace(/\s+/g, ' ').replace(/[`*]/g, '');
    }
  }
  return '';
}

/** What stands between blank lines and is no code. */
function* paragraphsOf(text: string): Generator<string> {
  const fences = new Fences();
  let lines: string[] = [];
  for (const line of text.split('\n')) {
    const isCode = fences.read(line);
    if (!isCode && line.trim() !== '') {
      lines.push(line);
      continue;
    }
    if (lines.length > 0) yield lines.join('\n').trim();
    lines = [];
  }
  if (lines.length > 0) yield lines.join('\n').trim();
}
