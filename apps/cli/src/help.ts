import type { Command } from './command.ts';
import { type Flags, globalFlags, programFlags } from './flags.ts';
import { version } from './session.ts';

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd()).join('\n');
}

function flagTable(flags: Flags): string {
  const shown = Object.entries(flags).filter(([, { isHidden }]) => !isHidden);
  return table(
    shown.map(([name, { short, value, summary, multiple }]) => {
      const named = `${short ? `-${short}, ` : ''}--${name}${value ? ` <${value}>` : ''}`;
      return [named, multiple ? `${summary} (may be repeated)`.trim() : summary];
    }),
  );
}

export function overview(commands: readonly Command[], toolCommands: readonly Command[]): string {
  return [
    `Baton ${version}: one MCP server for every coding agent on this machine.`,
    'Usage: baton <command> [flags]\n       baton            with piped input: the same as baton stdio',
    `Commands:\n${table(commands.map(({ name, summary }) => [name, summary]))}`,
    `Tools as commands (baton <command> --help for their flags):\n${table(
      toolCommands.map(({ name, summary }) => [name, summary]),
    )}`,
    `Flags:\n${flagTable(programFlags)}`,
    `Environment: BATON_WORKSPACE, BATON_STATE, BATON_LOG_LEVEL (or LOG_LEVEL), BATON_TOOLSETS,
BATON_WITHOUT_TOOLS, BATON_READ_ONLY, BATON_MAX_MESSAGE_BYTES, BATON_PORT, BATON_TOKEN,
BATON_WORKER, BATON_WORKER_IDLE_SECONDS, BATON_MAX_JOBS, BATON_PASS_ENV. Flags win over the environment, the environment
over your own config.yaml; .baton/config.yaml in the workspace can only narrow what they allow.`,
    'Exit codes: 0 done, 1 failed, 2 the command line was wrong.',
  ].join('\n\n');
}

export function commandHelp({ summary, usage, flags, examples }: Command): string {
  const own = flagTable(flags) ? [`Its flags:\n${flagTable(flags)}`] : [];
  return [
    `${usage}\n${summary}`,
    ...own,
    `Flags:\n${flagTable(globalFlags)}`,
    `Examples:\n${examples.map((example) => `  ${example}`).join('\n')}`,
  ].join('\n\n');
}
