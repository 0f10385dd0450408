import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { BatonError } from '@baton/core';
import type { NamedServers } from '@baton/editor/named-servers';
import { foldersIn, type NamedFolder } from './named-folders.ts';
import { LEVELS, type SettingName, type Settings, settingsSchema, USER_ONLY } from './settings.ts';

const MAX_CONFIG_BYTES = 1024 * 1024;
/** A worker that has nothing to do leaves after so long. */
const IDLE_SECONDS = 60;
/** Jobs of all plans of a user at once. */
const MAX_JOBS = 16;

export interface Config {
  readonly logLevel: (typeof LEVELS)[number];
  readonly toolsets: readonly string[] | undefined;
  readonly withoutTools: readonly string[] | undefined;
  readonly readOnly: boolean;
  readonly maxMessageBytes: number | undefined;
  readonly port: number | undefined;
  readonly worker: 'auto' | 'inline' | 'off';
  readonly workerIdleSeconds: number;
  /** Jobs of all plans at once; 0: any number. */
  readonly maxJobs: number;
  /** Tickets of a workspace that agents may have at once; 0: any number. */
  readonly maxClaims: number;
  /** Variables that jobs may see besides the usual ones. */
  readonly passEnv: readonly string[];
  /** Whether the machine is kept from falling asleep while jobs run. */
  readonly keepAwake: boolean;
  /** Folders with knowledge, with prompts and with records, besides the usual ones. */
  readonly knowledge: readonly NamedFolder[];
  readonly prompts: readonly NamedFolder[];
  readonly data: readonly NamedFolder[];
  /** Those of the user's own file; a workspace's are read, and approved, when they are needed. */
  readonly languageServers: NamedServers;
  /** Settings that agents may change besides those that are known to be harmless. */
  readonly allowedSettings: readonly string[];
  /** The configuration files that were read. */
  readonly files: readonly string[];
  readonly warnings: readonly string[];
}

export interface ConfigSources {
  readonly flags: Readonly<Partial<Record<SettingName, unknown>>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workspace: string;
  readonly userFile: string;
}

const ENV: Readonly<Record<SettingName, readonly string[]>> = {
  logLevel: ['BATON_LOG_LEVEL', 'LOG_LEVEL'],
  toolsets: ['BATON_TOOLSETS'],
  withoutTools: ['BATON_WITHOUT_TOOLS'],
  readOnly: ['BATON_READ_ONLY'],
  maxMessageBytes: ['BATON_MAX_MESSAGE_BYTES'],
  port: ['BATON_PORT'],
  worker: ['BATON_WORKER'],
  workerIdleSeconds: ['BATON_WORKER_IDLE_SECONDS'],
  maxJobs: ['BATON_MAX_JOBS'],
  maxClaims: ['BATON_MAX_CLAIMS'],
  passEnv: ['BATON_PASS_ENV'],
  keepAwake: ['BATON_KEEP_AWAKE'],
  knowledge: ['BATON_KNOWLEDGE'],
  prompts: ['BATON_PROMPTS'],
  data: ['BATON_DATA'],
  // Programs are named in files only.
  languageServers: [],
  allowedSettings: ['BATON_ALLOWED_SETTINGS'],
};

/** Flags over environment over the workspace's file over the user's file. */
export async function loadConfig(sources: ConfigSources): Promise<Config> {
  const workspaceFile = path.join(sources.workspace, '.baton', 'config.yaml');
  const user = await readFile(sources.userFile);
  const workspace = await readFile(workspaceFile);
  for (const name of USER_ONLY)
    if (workspace?.[name] !== undefined) throw userOnly(name, workspaceFile);
  const env = readEnv(sources.env);
  const flags = parse(sources.flags, (name) => `--${kebab(name)}`);
  const merged: Settings = { ...user, ...workspace, ...env, ...flags };
  const strict = flags.readOnly ?? env.readOnly;
  return Object.freeze({
    ...withDefaults(merged),
    // A repository's file may tighten what the user has set, never loosen it.
    readOnly: strict ?? (user?.readOnly === true || workspace?.readOnly === true),
    knowledge: foldersIn('knowledge', { user, workspace, env }, sources),
    prompts: foldersIn('prompts', { user, workspace, env }, sources),
    data: foldersIn('data', { user, workspace, env }, sources),
    languageServers: user?.languageServers ?? {},
    files: [user && sources.userFile, workspace && workspaceFile].filter(
      (file) => file !== undefined,
    ),
    warnings: isForeignLevel(sources.env)
      ? [`LOG_LEVEL=${sources.env.LOG_LEVEL} is none of ${LEVELS.join(', ')} and was ignored.`]
      : [],
  });
}

function withDefaults(merged: Settings) {
  return {
    logLevel: merged.logLevel ?? 'info',
    toolsets: merged.toolsets,
    withoutTools: merged.withoutTools,
    maxMessageBytes: merged.maxMessageBytes,
    port: merged.port,
    worker: merged.worker ?? 'auto',
    workerIdleSeconds: merged.workerIdleSeconds ?? IDLE_SECONDS,
    maxJobs: merged.maxJobs ?? MAX_JOBS,
    maxClaims: merged.maxClaims ?? 0,
    passEnv: merged.passEnv ?? [],
    keepAwake: merged.keepAwake ?? true,
    allowedSettings: merged.allowedSettings ?? [],
  };
}

// Other programs use LOG_LEVEL too, with words of their own: no reason not to start.
function isForeignLevel({ BATON_LOG_LEVEL, LOG_LEVEL }: ConfigSources['env']): boolean {
  return !BATON_LOG_LEVEL && !!LOG_LEVEL && !LEVELS.some((level) => level === LOG_LEVEL);
}

function readEnv(env: ConfigSources['env']): Settings {
  const given = Object.entries(ENV).flatMap(([name, variables]) => {
    const variable = variables.find((candidate) => env[candidate]);
    if (variable === 'LOG_LEVEL' && isForeignLevel(env)) return [];
    return variable ? [{ name, variable, value: env[variable] }] : [];
  });
  const values = Object.fromEntries(given.map(({ name, value }) => [name, value]));
  return parse(values, (name) => given.find((entry) => entry.name === name)?.variable ?? name);
}

async function readFile(file: string): Promise<Settings | undefined> {
  const text = readText(file);
  if (text === undefined) return undefined;
  const { parse: parseYaml } = await import('yaml');
  let values: unknown;
  try {
    values = parseYaml(text, { maxAliasCount: 20 });
  } catch (cause) {
    throw unreadable(file, `is not valid YAML: ${(cause as Error).message.split('\n')[0]}`, cause);
  }
  return parse(values ?? {}, (name) => `${name} in ${file}`);
}

function readText(file: string): string | undefined {
  try {
    const stat = statSync(file);
    // Looked at before it is opened: a repository could put a pipe or a device there.
    if (!stat.isFile()) throw unreadable(file, 'is not a regular file');
    if (stat.size > MAX_CONFIG_BYTES) throw unreadable(file, 'is larger than 1 MiB');
    return readFileSync(file, 'utf8');
  } catch (cause) {
    if (cause instanceof BatonError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw unreadable(file, `cannot be read (${code})`, cause);
  }
}

function unreadable(file: string, what: string, cause?: unknown): BatonError {
  return new BatonError('config_unreadable', `${file} ${what}.`, 'Correct the file or remove it.', {
    cause,
  });
}

function parse(values: unknown, nameOf: (name: string) => string): Settings {
  if (isEmpty(values)) return {};
  const schema = settingsSchema();
  const checked = schema.safeParse(values);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const known = Object.keys(schema.shape).join(', ');
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const where = nameOf(unknown ?? String(issue?.path[0] ?? ''));
  throw new BatonError(
    'config_invalid',
    unknown ? `Unknown setting ${where}.` : `Bad value for ${where}: ${issue?.message}.`,
    unknown ? `Known settings: ${known}.` : 'Correct the value or leave it out.',
  );
}

function userOnly(name: SettingName, file: string): BatonError {
  return new BatonError(
    'config_invalid',
    `${name} in ${file} has no effect: a repository must not decide it.`,
    'Set it in your own config.yaml or in the environment.',
  );
}

function isEmpty(values: unknown): boolean {
  return typeof values === 'object' && values !== null && Object.keys(values).length === 0;
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
