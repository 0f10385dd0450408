import * as z from 'zod';
import { lazily } from './lazily.ts';

const WEEK_SECONDS = 7 * 24 * 60 * 60;
const VARIABLE = /^(?!BATON_)[A-Za-z_][A-Za-z0-9_]*$/;

const NUL = 'must not hold NUL';
const hasNoNul = (value: string) => !value.includes('\0');

/** A text of people or agents that may reach a process: without NUL, and bounded. */
export function plainText(longest: number) {
  return z.string().min(1).max(longest).refine(hasNoNul, NUL);
}

/** Whether it really is inside, through whatever links, is looked at when it runs. */
function isInside(folder: string): boolean {
  return !/^([a-z]:|[\\/])/i.test(folder) && !folder.split(/[\\/]/).includes('..');
}

const COMMAND =
  'expected a shell command, {type: "shell", command} or {type: "process", executable, args}';

function explainCommand({ input }: { input?: unknown }): string | undefined {
  const type = (input as { type?: unknown } | null | undefined)?.type;
  return type === 'shell' || type === 'process' ? undefined : COMMAND;
}

/** What can be run on a machine, for every feature that takes commands. */
export const commandSchemas = lazily(() => {
  const environment = z.record(
    z.string().regex(VARIABLE, 'expected the name of a variable that does not begin with BATON_'),
    z
      .string()
      .max(32 * 1024)
      .refine(hasNoNul, NUL),
  );

  const folder = plainText(1024).refine(
    isInside,
    'expected a folder of the workspace, relative to it',
  );

  const common = {
    cwd: folder.optional(),
    env: environment.optional(),
    timeoutSeconds: z.number().positive().max(WEEK_SECONDS).optional(),
  };

  const line = plainText(100_000);

  const shell = z.strictObject({
    type: z.literal('shell'),
    command: plainText(100_000),
    shell: plainText(64).optional(),
    ...common,
  });

  const process = z.strictObject({
    type: z.literal('process'),
    executable: plainText(4096),
    args: z.array(z.string().max(100_000).refine(hasNoNul, NUL)).max(1000).optional(),
    ...common,
  });

  const command = z
    .union([line, z.discriminatedUnion('type', [shell, process], { error: explainCommand })], {
      error: explainCommand,
    })
    .meta({ listAs: { anyOf: [{ type: 'string' }, { type: 'object' }] } });

  // Kept as they are written, where everybody can read them: no place for values of variables.
  const check = z
    .union(
      [
        line,
        z.discriminatedUnion('type', [shell.omit({ env: true }), process.omit({ env: true })], {
          error: explainCommand,
        }),
      ],
      { error: explainCommand },
    )
    .meta({ listAs: { anyOf: [{ type: 'string' }, { type: 'object' }] } });

  return { environment, folder, line, shell, process, command, check };
});

type Schemas = ReturnType<typeof commandSchemas>;
export type Environment = Readonly<Record<string, string>>;
export type ShellCommand = z.output<Schemas['shell']>;
export type ProcessCommand = z.output<Schemas['process']>;
export type CommandDefinition = z.output<Schemas['command']>;

/** A command that shows by its exit code whether something is as it should be. */
export type CheckDefinition = z.output<Schemas['check']>;

/** A command in the same words for people, whatever kind it is. */
export function commandText(command: CommandDefinition): string {
  if (typeof command === 'string') return command;
  return command.type === 'shell'
    ? command.command
    : [command.executable, ...(command.args ?? [])].join(' ');
}
