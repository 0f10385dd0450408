import { ServerProcess } from './server-process.ts';

/** A client that makes one call at a time, and knows how long it took. */
export class ToolClient implements AsyncDisposable {
  readonly #server: ServerProcess;
  #calls = 0;

  constructor(program: string, cwd: string, env: NodeJS.ProcessEnv) {
    this.#server = new ServerProcess([program, 'stdio'], cwd, env);
  }

  get cpu(): number | undefined {
    return this.#server.cpu;
  }

  get familyCpu(): number | undefined {
    return this.#server.familyCpu;
  }

  async call<Answer>(name: string, args: object): Promise<Answer> {
    return (await this.timed<Answer>(name, args)).answer;
  }

  async timed<Answer>(name: string, args: object): Promise<{ answer: Answer; ms: number }> {
    this.#calls += 1;
    const params = { name, arguments: args };
    const message = { jsonrpc: '2.0', id: this.#calls, method: 'tools/call', params };
    const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
    const asked = performance.now();
    await this.#server.send(bytes);
    await this.#server.received(1);
    const ms = performance.now() - asked;
    const [line = ''] = this.#server.takeLines();
    const { result } = JSON.parse(line);
    if (!result || result.isError) throw new Error(`${name} failed: ${line.slice(0, 500)}`);
    return { answer: result.structuredContent, ms };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server[Symbol.asyncDispose]();
  }
}
