import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';
import { program } from '../programs.ts';
import { cites } from '../requirements.ts';

/** A workspace that brings along a program where TypeScript would be. It leaves a trace if it runs. */
function hostileWorkspace(folder: string): void {
  const put = (file: string, text: string, mode = 0o644) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text, { mode });
  };
  const platform = `typescript-${process.platform}-${process.arch}`;
  put('package.json', '{}');
  put('node_modules/typescript/package.json', '{"name":"typescript","version":"7.9.9"}');
  put(`node_modules/@typescript/${platform}/package.json`, '{"version":"7.9.9"}');
  const script = `#!/bin/sh\ntouch ${path.join(folder, 'canary')}\n`;
  put(`node_modules/@typescript/${platform}/lib/tsc`, script, 0o755);
  put('a.ts', 'export const total = 1;\n');
}

test(`${cites('T6')} a workspace's own TypeScript runs only after a person has approved it`, () => {
  using place = temporaryFolder();
  using state = temporaryFolder();
  const baton = (...args: string[]) =>
    spawnSync(process.execPath, [program, ...args], {
      cwd: place.path,
      env: { ...process.env, BATON_STATE: state.path },
      encoding: 'utf8',
    });
  const canary = path.join(place.path, 'canary');
  const source = 'node_modules/typescript/package.json';
  hostileWorkspace(place.path);

  expect(baton('rename-symbol', 'a.ts', 'total', 'sum').stdout).toContain('Renamed');
  expect(readFileSync(path.join(place.path, 'a.ts'), 'utf8')).toBe('export const sum = 1;\n');
  expect(existsSync(canary)).toBe(false);

  expect(baton('trust', 'grant', source, '--yes').stdout).toContain('--lsp --stdio');
  const failed = baton('rename-symbol', 'a.ts', 'sum', 'total');
  expect(failed).toMatchObject({ status: 1 });
  expect(failed.stderr).toContain('TypeScript 7.9.9');
  expect(existsSync(canary)).toBe(true);

  // Another program in its place is another question.
  hostileWorkspace(`${place.path}`);
  const exe = `node_modules/@typescript/typescript-${process.platform}-${process.arch}/lib/tsc`;
  writeFileSync(path.join(place.path, exe), `${readFileSync(path.join(place.path, exe))}# more\n`);
  expect(baton('rename-symbol', 'a.ts', 'total', 'sum').stdout).toContain('Renamed');
});
