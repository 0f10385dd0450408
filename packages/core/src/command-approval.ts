import { type CommandDefinition, commandText, type Environment } from './command.ts';
import type { TrustedCommand } from './trust.ts';

/** A command as it is approved, with all that decides what it does. `shared` is what it inherits. */
export function trustedCommand(
  title: string,
  command: CommandDefinition,
  shared: Environment = {},
): TrustedCommand {
  const { env: own, ...settings } = typeof command === 'string' ? {} : settingsOf(command);
  const env = { ...shared, ...own };
  const detail = { ...settings, ...(Object.keys(env).length > 0 && { env }) };
  return {
    title,
    command: commandText(command),
    ...(Object.keys(detail).length > 0 && { detail }),
  };
}

function settingsOf(command: Exclude<CommandDefinition, string>) {
  // Where one argument ends and the next begins is told by the detail only.
  const { type: _, ...settings } = command;
  if (!('command' in settings)) return settings;
  const { command: __, ...rest } = settings;
  return rest;
}
