import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type FileWorkspace, fileWorkspace } from '../file-workspace.ts';
import { until } from '../plans/until.ts';
import { cites } from '../requirements.ts';
import { diagnosticsOf } from './compiler.ts';
import { editorServer } from './editor-server.ts';
import { lines, tsconfig } from './projects.ts';

const USERS = 30;
const ROUNDS = 6;

/** A name that is used in many files. */
function busy(): FileWorkspace {
  const users = Array.from({ length: USERS }, (_, index) => [
    `user${index}.ts`,
    lines("import { total } from './total';", `export const user${index} = total;`),
  ]);
  return fileWorkspace({
    'tsconfig.json': tsconfig(),
    'total.ts': lines('export const total = 1;'),
    ...Object.fromEntries(users),
  });
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

test(`${cites('T8')} a language server that is killed between two calls is replaced`, async () => {
  await using workspace = busy();
  const server = editorServer(workspace);
  let name = 'total';
  const seen = new Set<number>();
  for (let round = 0; round < ROUNDS; round++) {
    const { fileCount } = await server.renameSymbol('total.ts', name, `total${round}`);
    expect(fileCount).toBe(USERS + 1);
    name = `total${round}`;
    const [pid] = server.languageServers();
    if (pid === undefined) throw new Error('no language server runs');
    seen.add(pid);
    process.kill(pid, 'SIGKILL');
    await until('its end', () => !isAlive(pid));
  }
  expect(seen.size).toBe(ROUNDS);
  expect(await diagnosticsOf(workspace.path)).toEqual([]);
});

test(`${cites('T8')} one that is killed while it is asked is asked again; nothing is half done`, async () => {
  await using workspace = busy();
  const server = editorServer(workspace);
  let name = 'total';
  let kills = 0;
  for (let round = 0; round < ROUNDS; round++) {
    let isOver = false;
    const renaming = server
      .result('rename_symbol', { file: 'total.ts', name, newName: `total${round}` })
      .finally(() => {
        isOver = true;
      });
    // A new one each time, at another moment of the call.
    const [pid] = await until('a language server', () => {
      const found = server.languageServers();
      return (isOver || found.length > 0) && found;
    });
    if (pid !== undefined && !isOver) {
      process.kill(pid, 'SIGKILL');
      kills += 1;
    }
    const result = await renaming;
    expect(['language_server_failed', undefined]).toContain(result.structuredContent.code);
    if (!result.isError) name = `total${round}`;
    expect(await diagnosticsOf(workspace.path)).toEqual([]);
  }
  expect(kills).toBeGreaterThan(0);
  const { fileCount } = await server.renameSymbol('total.ts', name, 'final');
  expect(fileCount).toBe(USERS + 1);
});

test('it ends with the program', async () => {
  await using workspace = busy();
  const server = editorServer(workspace);
  await server.renameSymbol('total.ts', 'total', 'sum');
  const pids = server.languageServers();
  expect(pids).toHaveLength(1);
  await server.program.end();
  await until('the end of the language server', () => !pids.some(isAlive));
});
