import path from 'node:path';
import { namedServersSchema } from '@baton/editor/named-servers';
import * as z from 'zod';

export const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

const WORKER_MODES = ['auto', 'inline', 'off'] as const;
const PORT = 'expected a number from 0 to 65535';

/**
 * The settings of Baton, by the names they have in `config.yaml`. A function, because most
 * processes start without any setting and then need no schema.
 */
export function settingsSchema() {
  const list = z
    .union([z.array(z.string()), z.string().transform((text) => text.split(','))])
    .transform((names) => names.map((name) => name.trim()).filter(Boolean));
  const folders = z.union([
    z.array(z.string()),
    z.string().transform((text) => text.split(path.delimiter)),
  ]);
  return z.strictObject({
    logLevel: z.enum(LEVELS).optional(),
    toolsets: list.optional(),
    withoutTools: list.optional(),
    readOnly: z.union([z.boolean(), z.stringbool()]).optional(),
    maxMessageBytes: z.coerce
      .number()
      .int()
      .min(1024)
      .max(1024 ** 3)
      .optional(),
    port: z.coerce
      .string()
      .regex(/^\d{1,5}$/, PORT)
      .transform(Number)
      .refine((port) => port <= 65_535, PORT)
      .optional(),
    worker: z.enum(WORKER_MODES).optional(),
    workerIdleSeconds: z.coerce.number().min(0).max(86_400).optional(),
    maxJobs: z.coerce.number().int().min(0).max(1000).optional(),
    maxClaims: z.coerce.number().int().min(0).max(100_000).optional(),
    passEnv: list.optional(),
    keepAwake: z.union([z.boolean(), z.stringbool()]).optional(),
    knowledge: folders.optional(),
    prompts: folders.optional(),
    data: folders.optional(),
    languageServers: namedServersSchema().optional(),
    allowedSettings: list.optional(),
  });
}

/**
 * What a workspace's file may do to each setting. Whoever wrote the repository is not the user, so
 * its file takes away from what agents and jobs get, and never adds to it.
 * - `nothing`: the user alone decides.
 * - `narrow`: the stricter of the user's value and the file's counts, see narrow.ts.
 * - `add`: what it adds is its own (folders inside of the workspace), or runs after approval.
 */
export const WORKSPACE_MAY: Readonly<Record<SettingName, 'nothing' | 'narrow' | 'add'>> = {
  logLevel: 'nothing',
  toolsets: 'narrow',
  withoutTools: 'narrow',
  readOnly: 'narrow',
  maxMessageBytes: 'nothing',
  port: 'nothing',
  worker: 'nothing',
  workerIdleSeconds: 'nothing',
  maxJobs: 'nothing',
  maxClaims: 'narrow',
  passEnv: 'nothing',
  keepAwake: 'nothing',
  knowledge: 'add',
  prompts: 'add',
  data: 'add',
  languageServers: 'add',
  allowedSettings: 'nothing',
};

export type Settings = z.output<ReturnType<typeof settingsSchema>>;
export type SettingName = keyof Settings;
