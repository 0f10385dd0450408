import { expect, test } from 'vitest';
import { shellCommand } from '../processes-under-test.ts';
import { startJob } from './jobs.ts';

const script = `printf '%s|' "a b" 'c"d' $((1+1)) | cat`;

test.each([undefined, 'sh', 'bash', 'dash'])('%s runs a command as written', async (name) => {
  const { file, args } = shellCommand(script, name);
  const job = startJob(file, args);
  expect(await job.ended).toMatchObject({ code: 0 });
  expect(job.output()).toBe('a b|c"d|2|');
});

test('without a name it is /bin/sh', () => {
  expect(shellCommand('ls -l')).toEqual({ file: '/bin/sh', args: ['-c', 'ls -l'] });
});

test.each(['zsh', 'fish'])('%s gets the command as one argument', (name) => {
  expect(shellCommand('ls -l', name)).toEqual({ file: name, args: ['-c', 'ls -l'] });
});

test.each(['pwsh', 'powershell'])('%s starts without profile and questions', (name) => {
  const args = ['-NoProfile', '-NonInteractive', '-Command', 'ls -l'];
  expect(shellCommand('ls -l', name)).toEqual({ file: name, args });
});

test('cmd gets the command in quotes that nobody else touches', () => {
  expect(shellCommand('dir "C:\\a b"', 'cmd')).toEqual({
    file: 'cmd.exe',
    args: ['/d', '/s', '/c', '"dir "C:\\a b""'],
    verbatimArguments: true,
  });
});

test('an unknown shell is refused with the known ones', () => {
  expect(() => shellCommand('ls', 'csh')).toThrow(
    expect.objectContaining({
      code: 'shell_unknown',
      message: 'There is no shell csh.',
      next: 'Use one of: sh, bash, zsh, fish, dash, pwsh, powershell, cmd.',
    }),
  );
});
