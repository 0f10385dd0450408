import path from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { FileWorkspace } from '../file-workspace.ts';
import type { Result } from '../plans/plan-server.ts';
import { diagnosticsOf, runTests } from './compiler.ts';
import { type Contents, changesBetween, contentsOf } from './contents.ts';
import { type EditorServer, editorServer } from './editor-server.ts';

const OPTIONS = {
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2022'],
  types: [],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
};

/** A text of these lines. */
export function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}

/** The tests of a project: imports, and then what must be true. */
export function ensuring(...all: readonly string[]): string {
  const claim = all.at(-1) ?? 'false';
  const declared = 'declare const ensure: (isRight: boolean) => void;';
  return lines(...all.slice(0, -1), declared, `ensure(${claim});`);
}

/** A tsconfig.json with some options of its own. */
export function tsconfig(options: object = {}, more: object = {}): string {
  return JSON.stringify({ compilerOptions: { ...OPTIONS, ...options }, ...more });
}

export interface ProjectOptions {
  /** What the compiler is asked about; a project of none is only run. */
  readonly configs?: readonly string[];
  /** Its own tests: bundled and run. */
  readonly tests?: string;
}

/** Stays where a rename is, so that words of messages can be told apart from it. */
interface Renamed {
  readonly from: string;
  readonly to: string;
}

/** A small project in a folder of a workspace, whose renames must break nothing. */
export class Project {
  readonly name: string;
  readonly #world: World;
  readonly #options: Required<ProjectOptions>;

  constructor(world: World, name: string, files: Contents, options: ProjectOptions) {
    this.#world = world;
    this.name = name;
    this.#options = { configs: ['tsconfig.json'], tests: 'test.ts', ...options };
    for (const [file, text] of Object.entries(files)) this.write(file, text);
    if (this.#options.configs.includes('tsconfig.json') && !('tsconfig.json' in files))
      this.write('tsconfig.json', tsconfig());
  }

  get folder(): string {
    return this.#world.workspace.file(this.name);
  }

  write(file: string, text: string | Uint8Array): void {
    this.#world.workspace.write(path.join(this.name, file), text);
  }

  contents(): Contents {
    return contentsOf(this.folder);
  }

  /** The lines that a symbol's new name has changed. Everything works as before, there and back. */
  symbol(file: string, name: string, newName: string, more: object = {}): Promise<string> {
    const args = { file: `${this.name}/${file}`, name, newName, ...more };
    return this.#thereAndBack('rename_symbol', args, [{ from: name, to: newName }]);
  }

  /** The same for a file's or folder's new path. */
  move(from: string, to: string): Promise<string> {
    const args = { from: `${this.name}/${from}`, to: `${this.name}/${to}` };
    const bare = (file: string) => file.replace(/(\.d)?\.\w+$/, '');
    const words = [
      { from, to },
      { from: bare(path.basename(from)), to: bare(path.basename(to)) },
    ];
    return this.#thereAndBack('rename_file', args, words);
  }

  async #thereAndBack(tool: string, args: object, renamed: readonly Renamed[]): Promise<string> {
    const { server } = this.#world;
    const before = this.contents();
    const said = await this.#diagnostics([]);
    await this.#runTests();
    const planned = await server.call(tool, { ...args, dryRun: true });
    expect(this.contents()).toEqual(before);
    const done: Result = await server.call(tool, args);
    const after = this.contents();
    expect(done.files).toEqual(planned.files);
    expect(await this.#diagnostics(renamed)).toEqual(said);
    await this.#runTests();
    await server.call(tool, { undo: done.undo });
    expect(this.contents()).toEqual(before);
    return changesBetween(before, after);
  }

  /** What the compiler says, in the names from before and without columns, which names shift. */
  async #diagnostics(renamed: readonly Renamed[]): Promise<string[]> {
    const all = await Promise.all(
      this.#options.configs.map((config) => diagnosticsOf(this.folder, config)),
    );
    const plain = (line: string) =>
      renamed.reduce(
        (text, { from, to }) => text.replaceAll(to, from),
        line.replace(/,\d+\):/, '):'),
      );
    return all.flat().map(plain).sort();
  }

  async #runTests(): Promise<void> {
    if (this.#options.tests !== '') await runTests(this.folder, this.#options.tests);
  }
}

/** One workspace with one server for all the projects of a file of tests. */
export class World {
  #workspace: FileWorkspace | undefined;
  #server: EditorServer | undefined;

  get workspace(): FileWorkspace {
    if (!this.#workspace) throw new Error('only within a test');
    return this.#workspace;
  }

  get server(): EditorServer {
    if (!this.#server) throw new Error('only within a test');
    return this.#server;
  }

  open(): void {
    this.#workspace = new FileWorkspace();
    this.#server = editorServer(this.#workspace);
  }

  async close(): Promise<void> {
    await this.#workspace?.[Symbol.asyncDispose]();
  }

  project(name: string, files: Contents, options: ProjectOptions = {}): Project {
    return new Project(this, name, files, options);
  }
}

export function useWorld(): World {
  const world = new World();
  beforeAll(() => world.open());
  afterAll(() => world.close());
  return world;
}
