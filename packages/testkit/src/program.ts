import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { temporaryFolder } from './temporary-folder.ts';

export interface Reply {
  readonly jsonrpc: string;
  readonly id?: string | number | null;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly result?: any;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    // biome-ignore lint/suspicious/noExplicitAny: as above
    readonly data?: any;
  };
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly params?: any;
}

export interface ProgramOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly nodeArgs?: readonly string[];
  /** What runs the program, instead of this Node.js. */
  readonly command?: readonly [string, ...string[]];
}

/** A real Baton process, spoken to in raw bytes. */
export class Program {
  readonly child: ChildProcessWithoutNullStreams;
  readonly replies: Reply[] = [];
  /** Lines of stdout that were not JSON: there must never be any. */
  readonly garbage: string[] = [];
  stderr = '';
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  readonly #listeners = new Set<() => void>();
  /** The home of this process, gone with it. */
  readonly home: string;
  readonly #folder: Disposable;
  #rest: Buffer[] = [];
  #ended = false;

  constructor(file: string, options: ProgramOptions = {}) {
    const folder = temporaryFolder();
    this.#folder = folder;
    this.home = folder.path;
    const { args = ['stdio'], env = {}, cwd = folder.path, nodeArgs = [] } = options;
    const [command, ...commandArgs] = options.command ?? [process.execPath];
    this.child = spawn(command, [...commandArgs, ...nodeArgs, file, ...args], {
      cwd,
      env: {
        PATH: process.env.PATH,
        HOME: folder.path,
        BATON_STATE: `${folder.path}/state`,
        ...env,
      },
    });
    this.child.stdin.on('error', () => {}); // The program may be gone before we stop writing.
    this.child.stdout.on('data', (chunk: Buffer) => this.#onOutput(chunk));
    this.child.stderr.on('data', (chunk: Buffer) => {
      this.stderr += chunk;
      this.#notify();
    });
    this.exited = new Promise((resolve) => {
      this.child.on('close', (code, signal) => {
        this.#ended = true;
        this.#notify();
        resolve({ code, signal });
      });
    });
  }

  write(raw: string | Buffer): void {
    this.child.stdin.write(raw);
  }

  send(message: object): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  /** Sends a request and waits for the reply with its id. */
  request(id: string | number, method: string, params?: object): Promise<Reply> {
    this.send({ id, method, ...(params && { params }) });
    return this.reply(id);
  }

  reply(id: string | number | null): Promise<Reply> {
    return this.until(`a reply to ${JSON.stringify(id)}`, () =>
      this.replies.find((reply) => reply.id === id && !reply.method),
    );
  }

  notification(method: string): Promise<Reply> {
    return this.until(method, () => this.replies.find((reply) => reply.method === method));
  }

  /** Waits for a condition, looked at whenever the program has said something. */
  until<Found>(what: string, find: () => Found | undefined | false): Promise<Found> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const found = find();
        if (found) resolve(found);
        else if (this.#ended) reject(new Error(`ended without ${what}; stderr:\n${this.stderr}`));
        else return;
        this.#listeners.delete(check);
      };
      this.#listeners.add(check);
      check();
    });
  }

  end(): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    this.child.stdin.end();
    return this.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
    this.#folder[Symbol.dispose]();
  }

  #onOutput(chunk: Buffer): void {
    const end = chunk.lastIndexOf(0x0a);
    if (end < 0) {
      this.#rest.push(chunk);
      return;
    }
    const text = Buffer.concat([...this.#rest, chunk.subarray(0, end)]).toString();
    this.#rest = [chunk.subarray(end + 1)];
    for (const line of text.split('\n')) {
      const reply = parse(line);
      if (reply) this.replies.push(reply);
      else this.garbage.push(line);
    }
    this.#notify();
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function parse(line: string): Reply | undefined {
  try {
    return line.startsWith('{') ? JSON.parse(line) : undefined;
  } catch {
    return undefined;
  }
}

export function startProgram(file: string, options?: ProgramOptions): Program {
  return new Program(file, options);
}
