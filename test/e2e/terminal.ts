import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';

export interface TerminalOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

/** A limit for what hangs, so that one sees what was on the screen. */
const LIMIT_MS = 30_000;

// All that Baton may send to a terminal: colours, cursor up, clearing, the cursor and wrapping.
const SEQUENCE = /\u001b\[(?:(\d+)A|K|J|\d+m|\?25[hl]|\?7[hl])/y;

/** A real pseudo terminal with a program in it, and what a person would see there. */
export class Terminal implements AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly exited: Promise<number | null>;
  /** Everything that was ever sent to it. */
  raw = '';
  #device = '';
  readonly #listeners = new Set<() => void>();
  #isEnded = false;

  constructor(args: readonly string[], { cwd, env, columns = 80, rows = 24 }: TerminalOptions) {
    const quoted = args.map((arg) => `'${arg.replaceAll("'", `'\\''`)}'`).join(' ');
    const command = `stty rows ${rows} cols ${columns}; tty; exec ${quoted}`;
    this.child = spawn('script', ['-qefc', command, '/dev/null'], {
      cwd,
      env: { TERM: 'xterm', SHELL: '/bin/sh', ...env },
    });
    this.child.stdin.on('error', () => {});
    this.child.stdout.on('data', (part) => this.#receive(String(part)));
    this.exited = new Promise((resolve) => {
      this.child.on('close', (code) => {
        this.#isEnded = true;
        this.#notify();
        resolve(code);
      });
    });
  }

  type(text: string): void {
    this.child.stdin.write(text);
  }

  resize(columns: number, rows: number): void {
    spawnSync('stty', ['-F', this.#device, 'rows', String(rows), 'cols', String(columns)]);
  }

  /** The lines that a terminal of endless height would show, without colours. */
  get lines(): string[] {
    const lines = [''];
    let row = 0;
    let column = 0;
    for (let at = 0; at < this.raw.length; ) {
      SEQUENCE.lastIndex = at;
      const [sequence, up] = SEQUENCE.exec(this.raw) ?? [];
      const character = String.fromCodePoint(this.raw.codePointAt(at) ?? 0);
      at += (sequence ?? character).length;
      if (up) row = Math.max(0, row - Number(up));
      else if (sequence?.endsWith('[K')) lines[row] = (lines[row] ?? '').slice(0, column);
      else if (sequence?.endsWith('[J')) lines.splice(row, Number.POSITIVE_INFINITY, '');
      else if (sequence) continue;
      else if (character === '\r') column = 0;
      else if (character === '\n') row += 1;
      else {
        const line = (lines[row] ?? '').padEnd(column);
        lines[row] = line.slice(0, column) + character + line.slice(column + character.length);
        column += character.length;
      }
      lines[row] ??= '';
    }
    return lines.map((line) => line.trimEnd());
  }

  get screen(): string {
    return this.lines.join('\n');
  }

  /** What would act on the terminal, other than by what Baton may send. */
  get strayControls(): string[] {
    const rest = this.raw.replaceAll(new RegExp(SEQUENCE.source, 'g'), '').replaceAll('\r\n', '');
    return rest.match(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g) ?? [];
  }

  /** Waits until the screen shows something. */
  until<Found>(what: string, find: () => Found | undefined | false): Promise<Found> {
    return new Promise((resolve, reject) => {
      const fail = (how: string) => reject(new Error(`${how} without ${what}:\n${this.screen}`));
      const limit = setTimeout(() => fail('too long'), LIMIT_MS);
      const check = () => {
        const found = find();
        if (found) resolve(found);
        else if (this.#isEnded) fail('ended');
        else return;
        clearTimeout(limit);
        this.#listeners.delete(check);
      };
      this.#listeners.add(check);
      check();
    });
  }

  shows(text: string): Promise<boolean> {
    return this.until(JSON.stringify(text), () => this.screen.includes(text));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }

  #receive(part: string): void {
    this.raw += part;
    // The first line is the name of the device.
    const [first, ...rest] = this.#device === '' ? this.raw.split('\r\n') : [];
    if (first !== undefined && rest.length > 0) {
      this.#device = first;
      this.raw = rest.join('\r\n');
    }
    this.#notify();
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
