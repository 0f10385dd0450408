import { fileURLToPath } from 'node:url';
import { environment } from '../run.ts';
import { ServerProcess } from '../server-process.ts';

export interface Renaming {
  readonly symbol?: { readonly file: string; readonly name: string; readonly newName: string };
  readonly move?: { readonly from: string; readonly to: string };
}

/** Whoever renames: a process that takes one line and answers with one. */
export class Subject implements AsyncDisposable {
  readonly process: ServerProcess;
  readonly #lineOf: (renaming: Renaming) => object;

  constructor(process: ServerProcess, lineOf: (renaming: Renaming) => object) {
    this.process = process;
    this.#lineOf = lineOf;
  }

  async rename(renaming: Renaming): Promise<number> {
    return (await this.ask(this.#lineOf(renaming))).ms;
  }

  async ask(message: object): Promise<{ readonly ms: number; readonly line: string }> {
    const asked = performance.now();
    await this.process.send(Buffer.from(`${JSON.stringify(message)}\n`));
    await this.process.received(1);
    const ms = performance.now() - asked;
    const [line = ''] = this.process.takeLines();
    if (line.includes('"isError":true')) throw new Error(line.slice(0, 500));
    return { ms, line };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.process[Symbol.asyncDispose]();
  }
}

export function startBare(
  executable: string,
  how: 'bare' | 'safe',
  project: string,
  home: string,
): Subject {
  const file = fileURLToPath(new URL('./peers/bare-server.mjs', import.meta.url));
  return new Subject(
    new ServerProcess([file, executable, how], project, environment(home)),
    (renaming) => renaming,
  );
}

/** With a probe of how long its turns take. */
export async function startBaton(
  program: string,
  project: string,
  home: string,
  stallFile: string,
): Promise<Subject> {
  const probe = new URL('./peers/stall-probe.mjs', import.meta.url).href;
  const env = { ...environment(home), STALL_FILE: stallFile };
  const args = ['--import', probe, program, 'stdio'];
  let id = 0;
  const message = (method: string, params: object) => {
    id += 1;
    return { jsonrpc: '2.0', id, method, params };
  };
  const subject = new Subject(new ServerProcess(args, project, env), ({ symbol, move }) =>
    message('tools/call', {
      name: symbol ? 'rename_symbol' : 'rename_file',
      arguments: symbol ?? move,
    }),
  );
  await subject.ask(message('tools/list', {}));
  return subject;
}
