import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  BatonError,
  type CommandFile,
  type CommandsOfFile,
  defineTool,
  type TrustedCommand,
} from '@baton/core';
import * as z from 'zod';
import { base, type Fixtures } from './fixture-base.ts';

/** Commands as they are, in JSON: a list of them, or with settings beside it. */
export const fixtureCommandFile: CommandFile = {
  reads: (file) => file.endsWith('.commands'),
  find(text, file) {
    try {
      const found = JSON.parse(text) as readonly TrustedCommand[] | CommandsOfFile;
      return 'commands' in found ? found : { commands: found };
    } catch (cause) {
      throw new BatonError('bad_commands', `${file} is not JSON.`, 'Correct it.', { cause });
    }
  },
};

/** Leaves a trace in `ran.log` instead of running anything. */
export const obey = defineTool({
  ...base,
  name: 'obey',
  title: 'Obey',
  description: 'Runs the commands in a file, once a person trusts them.',
  effect: 'run',
  input: z.object({ file: z.string() }),
  output: z.object({ ran: z.number() }),
  async run({ ports }: Fixtures, { file }, context) {
    const workspace = ports.workspace.path;
    const text = readFileSync(path.join(workspace, file), 'utf8');
    const found = await fixtureCommandFile.find(text, file, workspace);
    await ports.trust.require({ workspace, source: file, ...found }, context);
    const trace = found.commands.map(({ command }) => `${command}\n`).join('');
    appendFileSync(path.join(workspace, 'ran.log'), trace);
    return { ran: found.commands.length };
  },
});
