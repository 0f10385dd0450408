import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { type Program, startProgram, temporaryFolder } from '@baton/testkit';
import { program } from './programs.ts';

/** A workspace with a home and a state of its own, and the real program in it. */
export class FileWorkspace implements AsyncDisposable {
  readonly #folder = temporaryFolder();
  readonly #programs: Program[] = [];
  readonly home = this.#folder.path;
  readonly path = path.join(this.home, 'acme');
  readonly state = path.join(this.home, 'state');
  readonly env = { PATH: process.env.PATH ?? '', HOME: this.home, BATON_STATE: this.state };

  constructor() {
    mkdirSync(path.join(this.path, '.baton'), { recursive: true });
  }

  /** A path of the workspace; an absolute one stays as it is. */
  file(name: string): string {
    return path.resolve(this.path, name);
  }

  write(name: string, content: string | Uint8Array): void {
    mkdirSync(path.dirname(this.file(name)), { recursive: true });
    writeFileSync(this.file(name), content);
  }

  /** A link at `name` to `target`, which is as it stands there, or relative to the home. */
  link(name: string, target: string): void {
    const at = this.file(name);
    mkdirSync(path.dirname(at), { recursive: true });
    symlinkSync(target.startsWith('.') ? target : path.resolve(this.home, target), at);
  }

  remove(name: string): void {
    rmSync(this.file(name), { recursive: true });
  }

  /** A server over stdio, ended with the workspace. */
  server(env: Readonly<Record<string, string>> = {}, file = program): Program {
    const started = startProgram(file, { cwd: this.path, env: { ...this.env, ...env } });
    this.#programs.push(started);
    return started;
  }

  /** The program at a terminal, to its end. */
  async baton(
    ...args: readonly string[]
  ): Promise<{ status: number | null; stdout: string; stderr: string }> {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: this.path,
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const status = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { status: await status, stdout, stderr };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const each of this.#programs) await each[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}

/** A workspace with these files; their names are relative to it. */
export function fileWorkspace(files: Readonly<Record<string, string>>): FileWorkspace {
  const workspace = new FileWorkspace();
  for (const [name, content] of Object.entries(files)) workspace.write(name, content);
  return workspace;
}
