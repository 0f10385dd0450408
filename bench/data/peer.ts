import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../programs.ts';
import { environment } from '../run.ts';
import { ServerProcess } from '../server-process.ts';
import type { Format } from './grow.ts';
import { QUESTIONS, type QuestionName } from './questions.ts';

export type PeerName = 'table' | 'file' | 'js';

interface Told {
  readonly pid: number;
  /** How long it took inside of the process. */
  readonly ms: number;
  /** Of each statement. */
  readonly rows: readonly (readonly (readonly unknown[])[])[];
}

/** A program that answers the same questions without Baton. */
export class Peer implements AsyncDisposable {
  readonly #process: ServerProcess;

  constructor(name: PeerName, folder: string, format: Format, home: string) {
    const program = name === 'js' ? './peers/javascript.mjs' : './peers/duckdb.mjs';
    const options = {
      sales: path.join(folder, `sales.${format}`),
      customers: path.join(folder, 'customers.csv'),
      isTable: name === 'table',
    };
    const file = fileURLToPath(new URL(program, import.meta.url));
    this.#process = new ServerProcess([file, JSON.stringify(options)], root, environment(home));
  }

  get cpu(): number | undefined {
    return this.#process.cpu;
  }

  /** It reads what is asked after it has read the records. */
  async ask(name: QuestionName): Promise<Told> {
    const line = `${JSON.stringify({ name, sql: QUESTIONS[name].sql })}\n`;
    await this.#process.send(Buffer.from(line));
    await this.#process.received(1);
    return JSON.parse(this.#process.takeLines()[0] ?? '');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#process[Symbol.asyncDispose]();
  }
}
