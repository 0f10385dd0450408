import { createToken, readToken, removeToken, userTokenFile, writeToken } from '@baton/runtime';
import type { Command } from '../command.ts';
import { print } from '../io.ts';
import { UsageError } from '../usage-error.ts';

/** Nothing but the token goes to stdout, so that a shell can use it: `$(baton token)`. */
export const token: Command = {
  name: 'token',
  summary: 'print the token that lasts, and make one if there is none (baton serve uses it)',
  usage: 'baton token [--new | --remove]',
  flags: {
    new: { type: 'boolean', summary: 'replace it by a new one' },
    remove: {
      type: 'boolean',
      summary: 'remove it: each start of baton serve makes its own again',
    },
  },
  examples: ['baton token', 'baton token --new'],
  maxArguments: 0,
  async run(io, { values }) {
    if (values.new && values.remove) throw new UsageError('--new and --remove contradict.');
    const file = userTokenFile();
    if (values.remove) {
      removeToken(file);
      await print(io.stderr, `${file} is removed. A server that runs keeps it until it ends.`);
      return 0;
    }
    const kept = values.new ? undefined : readToken(file);
    const current = kept ?? createToken();
    if (kept === undefined) {
      writeToken(file, current);
      await print(io.stderr, `New token in ${file}. Start baton serve again to use it.`);
    }
    await print(io.stdout, current);
    return 0;
  },
};
