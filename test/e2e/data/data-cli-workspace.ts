import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { FileWorkspace } from '../file-workspace.ts';
import { program } from '../programs.ts';
import { Terminal } from '../terminal.ts';

export const DATA = '.baton/data';
const DEPARTMENTS = `id,name,city
dept-eng,Engineering,Berlin
dept-des,Design,Lisbon
dept-fin,Finance,Berlin
`;
const PEOPLE = `id,name,email,departmentId,title,salary,startedOn,isRemote
p1,Ada Lovelace,ada@acme.example,dept-eng,Senior Developer,98000,2019-03-01,true
p2,José Álvarez,jose@acme.example,dept-eng,Developer,72000,2021-07-15,false
p3,田中 さくら,sakura@acme.example,dept-des,Designer,68000,2020-01-10,true
p4,Max Müller,max@acme.example,dept-fin,Accountant,,2018-11-05,false
p5,Zoë Quinn,,dept-eng,Developer,71000.50,2023-02-01,true
`;

/** A workspace with people and departments, and `baton data` in it. */
export class DataCliWorkspace extends FileWorkspace {
  constructor() {
    super();
    this.write(`${DATA}/departments.csv`, DEPARTMENTS);
    this.write(`${DATA}/people.csv`, PEOPLE);
  }

  data(...args: readonly string[]): ReturnType<FileWorkspace['baton']> {
    return this.baton('data', ...args);
  }

  async json(...args: readonly string[]) {
    return JSON.parse((await this.data(...args, '--json')).stdout);
  }

  terminal(columns: number, ...args: readonly string[]): Terminal {
    return new Terminal([process.execPath, program, 'data', ...args], {
      cwd: this.path,
      env: this.env,
      columns,
    });
  }

  /** A line as people type it: its output, errors and exit code. */
  async shell(line: string): Promise<readonly [string, string, unknown]> {
    const command = line.replace(/\bbaton data/, `'${process.execPath}' '${program}' data`);
    const { path: cwd, env } = this;
    const child = spawn('sh', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const status = new Promise((resolve) => child.once('close', resolve));
    return [...(await Promise.all([text(child.stdout), text(child.stderr)])), await status];
  }
}

/** CSV as a reader takes it, by RFC 4180. */
export function readCsv(csv: string): string[][] {
  const cells = csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g);
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of cells) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\n') rows.push([]);
  }
  return rows.slice(0, -1);
}
