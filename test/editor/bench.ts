import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { program } from '@baton/e2e/programs';
import { type Program, startProgram, temporaryFolder } from '@baton/testkit';
import { expect } from 'vitest';
import { Judge } from './judge.ts';
import { copySources, type Source } from './sources.ts';

export interface Answer {
  readonly code?: string;
  readonly undo?: string;
  readonly files?: readonly { readonly file: string; readonly edits: number }[];
}

/** A package's sources with the real program in them, and somebody else who knows what to expect. */
export class Bench {
  readonly #place = temporaryFolder();
  readonly folder = path.join(this.#place.path, 'acme');
  readonly #program: Program;
  readonly judge: Judge;
  readonly #before: ReadonlyMap<string, string>;
  #lastId = 0;

  constructor(name: Source) {
    mkdirSync(path.join(this.folder, '.baton'), { recursive: true });
    copySources(name, this.folder);
    this.#program = startProgram(program, { cwd: this.folder });
    this.judge = new Judge(this.folder);
    this.#before = this.contents();
  }

  async call(name: string, args: object): Promise<Answer> {
    this.#lastId += 1;
    const params = { name, arguments: args };
    const { result, error } = await this.#program.request(this.#lastId, 'tools/call', params);
    if (error) throw new Error(`${name}: ${error.message}`);
    return result.structuredContent;
  }

  contents(): Map<string, string> {
    const files = readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    return new Map(
      files.map((file) => [path.relative(this.folder, file), readFileSync(file, 'utf8')]),
    );
  }

  /** Takes all back; every byte must be as it was. */
  async undo(tool: string, ids: readonly string[]): Promise<void> {
    for (const undo of ids.toReversed()) {
      const answer = await this.call(tool, { undo });
      expect(answer.code, JSON.stringify(answer)).toBeUndefined();
    }
    expect(this.contents()).toEqual(this.#before);
  }

  restore(name: Source): void {
    rmSync(path.join(this.folder, 'src'), { recursive: true });
    copySources(name, this.folder);
  }

  before(file: string): string {
    return this.#before.get(file) ?? '';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program[Symbol.asyncDispose]();
    this.#place[Symbol.dispose]();
  }
}
