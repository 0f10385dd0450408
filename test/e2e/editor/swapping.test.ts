import path from 'node:path';
import { type Program, startProgram } from '@baton/testkit';
import { expect, test } from 'vitest';
import { type FileWorkspace, fileWorkspace } from '../file-workspace.ts';
import { Swapper } from '../knowledge/swapper.ts';
import { program } from '../programs.ts';
import { cites } from '../requirements.ts';
import { contentsOf } from './contents.ts';
import { EditorServer } from './editor-server.ts';
import { lines, tsconfig } from './projects.ts';

const SECRET = 'platypus';
/** Between two looks at a path there is time for many swaps. */
const DELAY_MICROSECONDS = 300;

function source(more: string): Readonly<Record<string, string>> {
  return {
    'total.ts': lines('export const total = 1;', `// ${more}`),
    'user.ts': lines(
      "import { unused } from './total';",
      "import { total } from './total';",
      `export default total; // ${more}`,
    ),
  };
}

/** The same files inside and outside, so that whatever fits the ones fits the others. */
function twins(): FileWorkspace {
  const workspace = fileWorkspace({
    'tsconfig.json': tsconfig(),
    'index.ts': lines("export { total } from './src/total';"),
  });
  for (const [file, text] of Object.entries(source('inside')))
    workspace.write(`kept/${file}`, text);
  for (const [file, text] of Object.entries(source(SECRET)))
    workspace.write(path.join(workspace.home, 'outside', file), text);
  return workspace;
}

/** A server that is slow whenever it looks at a path, or changes one. */
function slowServer({ path: cwd, env }: FileWorkspace): Program {
  const calls = 'statx,readlink,openat,rename,renameat2,link,unlink';
  const trace = ['--seccomp-bpf', '-f', '-qq', '-o', '/dev/null', '-e', `trace=${calls}`];
  const delay = `inject=${calls}:delay_enter=${DELAY_MICROSECONDS}`;
  const command = ['strace', ...trace, '-e', delay, process.execPath] as const;
  return startProgram(program, { cwd, env, command: [...command] });
}

const CALLS = [
  ['rename_symbol', { file: 'src/total.ts', name: 'total', newName: 'sum' }],
  ['rename_symbol', { file: 'src/total.ts', name: 'sum', newName: 'total' }],
  ['rename_file', { from: 'src/total.ts', to: 'src/sum.ts' }],
  ['rename_file', { from: 'src/sum.ts', to: 'src/total.ts' }],
  ['rename_file', { from: 'index.ts', to: 'src/index.ts' }],
  ['rename_file', { from: 'src/index.ts', to: 'index.ts' }],
  ['organize_imports', { files: ['src/user.ts'] }],
] as const;

/** Until so many calls have changed something, so many were refused and so often it was swapped. */
const SPEEDS = [
  { speed: 'fast', insideMs: 30, atLeast: 60 },
  { speed: 'slow', insideMs: 90, atLeast: 10 },
] as const;

test.each(SPEEDS)(
  `${cites('T11')} a folder that is exchanged for a link out, and back, is only changed when it is inside; $speed`,
  async ({ speed, insideMs, atLeast }) => {
    await using workspace = twins();
    const outside = () => contentsOf(path.join(workspace.home, 'outside'));
    const before = outside();
    await using running = speed === 'slow' ? slowServer(workspace) : workspace.server();
    const server = new EditorServer(running);
    await using swapper = new Swapper(
      'folder',
      workspace.file('src'),
      workspace.file('kept'),
      path.join(workspace.home, 'outside'),
      insideMs,
    );
    await swapper.started();
    let done = 0;
    let refused = 0;
    while (Math.min(done, refused, swapper.swaps) < atLeast)
      for (const [tool, args] of CALLS) {
        const { isError, structuredContent } = await server.result(tool, args);
        const said = JSON.stringify(structuredContent);
        expect(said).not.toContain(SECRET);
        expect(said, running.stderr.slice(-3000)).not.toContain('inside Baton');
        if (!isError) done += 1;
        else if (structuredContent.code === 'outside_workspace') refused += 1;
        expect(outside()).toEqual(before);
      }
  },
);
