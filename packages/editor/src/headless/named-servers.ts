import type { TrustedCommand } from '@baton/core';
import * as z from 'zod';
import type { ServerKind } from '../lsp/language-server.ts';

/** Language servers as they stand in a config.yaml, by the id of their language. */
export function namedServersSchema() {
  return z.record(
    z.string().regex(/^[a-z][a-z0-9+#_-]{0,40}$/i, 'expected the id of a language, such as python'),
    z.strictObject({
      command: z.array(z.string().min(1).max(4096)).min(1).max(100),
      files: z.array(z.string().regex(/^\.[^./\\]+$/, 'expected an ending, such as .py')).min(1),
      settings: z.record(z.string(), z.unknown()).optional(),
    }),
  );
}

export type NamedServers = z.output<ReturnType<typeof namedServersSchema>>;

/** What a program of a person's choice may need of the environment. Secrets are none of it. */
const PASSED_ON = [
  'APPDATA',
  'HOME',
  'LANG',
  'LOCALAPPDATA',
  'PATH',
  'SystemRoot',
  'TEMP',
  'TMP',
  'TMPDIR',
  'USERPROFILE',
];

export function namedServer([language, server]: [string, NamedServers[string]]): ServerKind {
  const [executable = '', ...args] = server.command;
  return {
    name: `the ${language} server`,
    executable,
    args,
    passedOn: PASSED_ON,
    languages: Object.fromEntries(server.files.map((ending) => [ending.toLowerCase(), language])),
    settings: server.settings ?? {},
  };
}

/** The commands as a person approves them. */
export function commandsOfServers(servers: NamedServers): TrustedCommand[] {
  return Object.entries(servers).map(([language, { command, files, settings }]) => ({
    title: `language server for ${language}`,
    command: command.join(' '),
    detail: JSON.parse(JSON.stringify({ args: command, files, settings })),
  }));
}
