import { expect, test } from 'vitest';
import { type CommandDefinition, type Environment, trustedCommand } from '../src/index.ts';

const cases: readonly [CommandDefinition, Environment | undefined, object][] = [
  ['make', undefined, { command: 'make' }],
  ['make', {}, { command: 'make' }],
  ['make', { CI: '1' }, { command: 'make', detail: { env: { CI: '1' } } }],
  [{ type: 'shell', command: 'make', env: {} }, undefined, { command: 'make' }],
  [
    { type: 'shell', command: 'make', shell: 'bash', cwd: 'lib', env: { CI: '2', A: 'b' } },
    { CI: '1', B: 'c' },
    {
      command: 'make',
      detail: { shell: 'bash', cwd: 'lib', env: { CI: '2', B: 'c', A: 'b' } },
    },
  ],
  [
    { type: 'process', executable: 'rm', args: ['a b', 'c'], timeoutSeconds: 5 },
    undefined,
    {
      command: 'rm a b c',
      detail: { executable: 'rm', args: ['a b', 'c'], timeoutSeconds: 5 },
    },
  ],
  [
    { type: 'process', executable: 'ls' },
    undefined,
    { command: 'ls', detail: { executable: 'ls' } },
  ],
];

test.each(cases)('all that decides what runs is approved %#', (command, shared, expected) => {
  expect(trustedCommand('build', command, shared)).toStrictEqual({ title: 'build', ...expected });
});
