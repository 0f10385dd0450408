import { columnsOf, fit } from '../../columns.ts';
import { printDrawn, type Stdout } from '../../io.ts';

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
// A line that is wider than we think is cut by the terminal and cannot push the others down.
const WRAP_OFF = '\u001b[?7l';
const WRAP_ON = '\u001b[?7h';
const CLEAR_LINE = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

/** Draws lines, and the next time over the same place. What was there before stays above. */
export class Screen {
  readonly #stdout: Stdout;
  #drawn: readonly string[] = [];
  #columns = 0;

  constructor(stdout: Stdout) {
    this.#stdout = stdout;
  }

  get size(): { readonly columns: number; readonly rows: number } {
    const { columns = 0, rows = 0 } = this.#stdout.size?.() ?? {};
    // Some terminals do not know their size, and say 0.
    return { columns: columns || 80, rows: rows || 24 };
  }

  draw(lines: readonly string[]): void {
    const { columns } = this.size;
    const fitting = lines.map((line) => fit(line, columns));
    const text = fitting.map((line) => `${line}${CLEAR_LINE}\n`).join('');
    this.#stdout.write(`${HIDE_CURSOR}${WRAP_OFF}${this.#back()}${text}${CLEAR_BELOW}${WRAP_ON}`);
    this.#drawn = fitting;
    this.#columns = columns;
  }

  /** Leaves what was drawn last, and the terminal as it was. Has left when it resolves. */
  async end(): Promise<void> {
    if (this.#columns > 0) await printDrawn(this.#stdout, `${WRAP_ON}${SHOW_CURSOR}`);
  }

  /** To where the last drawing begins. A window that has become narrower has folded its lines. */
  #back(): string {
    if (this.#drawn.length === 0) return '';
    const { columns, rows } = this.size;
    const folded = this.#drawn.map((line) => Math.max(1, Math.ceil(columnsOf(line) / columns)));
    const up = columns < this.#columns ? folded.reduce((a, b) => a + b, 0) : this.#drawn.length;
    return `\r\u001b[${Math.min(up, rows - 1)}A`;
  }
}
