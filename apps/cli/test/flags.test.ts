import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { program } from '@baton/e2e/programs';
import { cites } from '@baton/e2e/requirements';
import { builtInTools } from '@baton/runtime';
import { fixtureFeature, temporaryFolder } from '@baton/testkit';
import { describe, expect, test } from 'vitest';
import { commands, toolsAsCommands } from '../src/commands/index.ts';
import { OLD_STATE_FLAG, programFlags } from '../src/flags.ts';
import { toolCommand } from '../src/tool-commands.ts';

const all = [...commands, ...toolsAsCommands({ features: [fixtureFeature] })];

describe(`${cites('T41', 'CLI-STRICT')} no flag means two things`, () => {
  test('to the program and to one of its commands', () => {
    const shared = all.flatMap(({ name, flags }) =>
      Object.keys(flags)
        .filter((flag) => Object.hasOwn(programFlags, flag))
        .map((flag) => `${name} --${flag}`),
    );
    expect(all.length).toBeGreaterThan(60);
    expect(shared).toEqual([]);
  });

  test('nor does a letter', () => {
    for (const { name, flags } of [...all, { name: 'baton', flags: {} }]) {
      const letters = Object.values({ ...programFlags, ...flags }).flatMap(
        ({ short }) => short ?? [],
      );
      expect(new Set(letters).size, name).toBe(letters.length);
    }
  });

  test('to a command and to the tool behind it', () => {
    for (const tool of [...builtInTools, ...fixtureFeature.tools]) {
      const { name, flags } = toolCommand(tool);
      const keys = Object.keys(tool.input.shape);
      expect(Object.keys(flags), name).toHaveLength(keys.length + 1); // One is --json.
    }
  });

  test('so that what a tool calls like a flag of the program has a name of its own', () => {
    const names = all.filter(({ flags }) => flags['ticket-version']).map(({ name }) => name);
    expect(names).toEqual(['ticket find', 'ticket update']);
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [program, 'ticket', 'find', '--ticket-version', 'x'],
      { encoding: 'utf8' },
    );
    expect({ stdout, stderr }).toEqual({
      stdout: '',
      stderr: expect.stringContaining('--ticket-version must be'),
    });
  });

  test('and the old one is understood by the worker alone', () => {
    const takers = all.filter(({ flags }) => flags.state === OLD_STATE_FLAG.state);
    expect(takers.map(({ name }) => name)).toEqual(['worker']);
  });
});

describe(`${cites('T41', 'CLI-STRICT')} --state`, () => {
  const env = { PATH: process.env.PATH ?? '' };
  const run = (home: string, ...args: string[]) =>
    spawnSync(process.execPath, [program, ...args], {
      cwd: home,
      env: { ...env, HOME: home, BATON_WORKER_IDLE_SECONDS: '0' },
      encoding: 'utf8',
    });

  test('is the filter of what has states, and makes no folder', () => {
    using folder = temporaryFolder();
    for (const [command, state] of [
      ['ticket list', 'done'],
      ['ticket find', 'done'],
      ['ticket export out', 'done'],
      ['plan list', 'running'],
    ] as const) {
      const [words, flag] = [command.split(' '), ['--state', state]];
      // Before the words, too: its value is none of them.
      for (const args of [words.concat(flag), flag.concat(words)]) {
        const { stderr, status } = run(folder.path, ...args);
        expect({ args, stderr, status }).toEqual({ args, stderr: '', status: 0 });
      }
    }
    expect(existsSync(path.join(folder.path, '.local/state/baton/baton.db'))).toBe(true);
    expect(readdirSync(folder.path).filter((name) => !['.local', 'out'].includes(name))).toEqual(
      [],
    );
  });

  test('is refused with a sentence elsewhere, and taken by a worker of an older server', () => {
    using folder = temporaryFolder();
    const place = path.join(folder.path, 'place');
    for (const args of [
      ['stdio', '--state', place],
      ['--state', place, 'status'],
      ['doctor', `--state=${place}`],
    ]) {
      const { status, stderr, stdout } = run(folder.path, ...args);
      expect(stderr).toMatch(/^baton: usage: --state, .* is called --state-dir now\. /);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    }
    expect(existsSync(place)).toBe(false);
    expect(run(folder.path, 'worker', '--state', place).status).toBe(0);
    expect(readdirSync(folder.path)).toEqual(['place']);
    expect(run(folder.path, 'worker', '--help').stdout).not.toContain('--state ');
    const other = path.join(folder.path, 'other');
    expect(run(folder.path, '--state-dir', other, 'status').stdout).toContain(`${other}/baton.db`);
  });
});
