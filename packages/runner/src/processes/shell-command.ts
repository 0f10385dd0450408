import { BatonError } from '@baton/core';

export interface ShellCommand {
  readonly file: string;
  readonly args: string[];
  readonly verbatimArguments?: true;
}

const posix = (file: string) => (command: string) => ({ file, args: ['-c', command] });
const powershell = (file: string) => (command: string) => ({
  file,
  args: ['-NoProfile', '-NonInteractive', '-Command', command],
});
// With /s cmd takes off the outer quotes and nothing else, so the command arrives as written.
const cmd = (command: string): ShellCommand => ({
  file: process.env['ComSpec'] ?? 'cmd.exe',
  args: ['/d', '/s', '/c', `"${command}"`],
  verbatimArguments: true,
});

const onWindows = process.platform === 'win32';

const shells: ReadonlyMap<string, (command: string) => ShellCommand> = new Map([
  ['sh', posix(onWindows ? 'sh' : '/bin/sh')],
  ['bash', posix('bash')],
  ['zsh', posix('zsh')],
  ['fish', posix('fish')],
  ['dash', posix('dash')],
  ['pwsh', powershell('pwsh')],
  ['powershell', powershell('powershell')],
  ['cmd', cmd],
]);

/** How a shell is started for a command of the user. */
export function shellCommand(command: string, shell = onWindows ? 'cmd' : 'sh'): ShellCommand {
  const start = shells.get(shell);
  if (start) return start(command);
  const known = [...shells.keys()].join(', ');
  throw new BatonError('shell_unknown', `There is no shell ${shell}.`, `Use one of: ${known}.`);
}
