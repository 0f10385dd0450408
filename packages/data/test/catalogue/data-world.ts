import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMemoryLog, temporaryFolder } from '@baton/testkit';
import { type DataPorts, DataService } from '../service-under-test.ts';
import { buildEngineProgram } from '../test-engine.ts';

/** A folder of data with a state of its own, and services with the real engine. */
export class DataWorld implements Disposable {
  readonly #folder = temporaryFolder();
  readonly log = createMemoryLog();
  readonly home = this.#folder.path;
  readonly data = path.join(this.home, 'data');
  readonly cache = path.join(this.home, 'state', 'data');
  readonly program = buildEngineProgram(this.home);

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    mkdirSync(this.data);
    for (const [name, content] of Object.entries(files)) this.write(name, content);
  }

  /** A path of the data; an absolute one stays as it is. */
  file(name: string): string {
    return path.resolve(this.data, name);
  }

  write(name: string, content: string | Uint8Array): void {
    mkdirSync(path.dirname(this.file(name)), { recursive: true });
    writeFileSync(this.file(name), content);
  }

  remove(name: string): void {
    rmSync(this.file(name), { recursive: true });
  }

  /** Each is as good as one in a process of its own: they share nothing but files. */
  service(ports: Partial<DataPorts> = {}): DataService {
    return new DataService({
      sources: [{ name: 'data', path: this.data }],
      cacheFolder: this.cache,
      program: this.program,
      packagesOf: [fileURLToPath(import.meta.url)],
      installInto: path.join(this.home, 'state'),
      clock: { now: Date.now, monotonic: () => performance.now() },
      log: this.log,
      changes: { publish: () => {}, subscribe: () => () => {} },
      ...ports,
    });
  }

  /** One whose engine cannot start: whoever needs it fails. */
  serviceWithoutProcess(): DataService {
    return this.service({ program: { file: path.join(this.home, 'no-program.mjs'), args: [] } });
  }

  /** The processes of engines that services have started. */
  engines(): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => wordsOf(pid).includes(this.program.file));
  }

  killEngines(): void {
    for (const pid of this.engines()) process.kill(pid, 'SIGKILL');
  }

  /** Everything in the state directory, as bytes that are taken for Latin letters. */
  state(): string {
    const folder = path.join(this.home, 'state');
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(
        ({ name, parentPath }) => `${name}\n${readFileSync(path.join(parentPath, name), 'latin1')}`,
      )
      .join('\n');
  }

  [Symbol.dispose](): void {
    this.killEngines();
    this.#folder[Symbol.dispose]();
  }
}

function wordsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return []; // It has ended.
  }
}

/** Ids of all categories. */
export async function idsOf(service: DataService): Promise<string[]> {
  return (await service.overview()).categories.map(({ id }) => id);
}

/** The values of the first column. */
export async function values(service: DataService, sql: string): Promise<unknown[]> {
  return (await service.query({ sql })).rows.map(([value]) => value);
}

/** What is told about files: `file:line severity message`. */
export async function problemsOf(service: DataService): Promise<string[]> {
  const { problems } = await service.check();
  return problems.map(
    ({ file, line, severity, message }) => `${file}:${line} ${severity}: ${message}`,
  );
}
