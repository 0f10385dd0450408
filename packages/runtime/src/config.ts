import path from 'node:path';
import type { Workspace } from '@baton/core';
import type { NamedServers } from '@baton/editor/named-servers';
import { isForeignLevel, readEnvironment } from './config-environment.ts';
import { readUserConfig, readWorkspaceConfig } from './config-file.ts';
import { refusalsOf } from './config-refusals.ts';
import { foldersIn, type NamedFolder } from './named-folders.ts';
import { inEither, narrow } from './narrow.ts';
import { parseSettings } from './parse-settings.ts';
import { LEVELS, type SettingName, type Settings } from './settings.ts';

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
  /** Of these, what a person has to hear of whatever they run: what the workspace's file may not do. */
  readonly refusals: readonly string[];
}

export interface ConfigSources {
  readonly flags: Readonly<Partial<Record<SettingName, unknown>>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workspace: Workspace;
  readonly userFile: string;
}

/** The user's own settings, flags over environment over file, narrowed by the workspace's file. */
export async function loadConfig(sources: ConfigSources): Promise<Config> {
  const { workspace: place, userFile } = sources;
  const file = await readUserConfig(userFile);
  const workspace = place.hasForeignFolder
    ? undefined
    : await readWorkspaceConfig(path.join(place.path, '.baton', 'config.yaml'));
  const env = readEnvironment(sources.env);
  const flags = parseSettings(sources.flags, (name) => `--${kebab(name)}`);
  const user: Settings = {
    ...file?.settings,
    ...env,
    ...flags,
    // A client that leaves out what it has from elsewhere must not bring back what the user left out.
    withoutTools: inEither(file?.settings.withoutTools, env.withoutTools, flags.withoutTools),
  };
  const given = { user: file?.settings, workspace: workspace?.settings, env };
  const places = { workspace: place.path, userFile };
  const folders = {
    knowledge: foldersIn('knowledge', given, places),
    prompts: foldersIn('prompts', given, places),
    data: foldersIn('data', given, places),
  };
  const refusals = workspace ? refusalsOf(workspace, { user, folders, userFile }) : [];
  return Object.freeze({
    ...withDefaults({ ...user, ...narrow(user, workspace?.settings ?? {}) }),
    ...folders,
    languageServers: file?.settings.languageServers ?? {},
    files: [file, workspace].flatMap((one) => (one ? [one.file] : [])),
    warnings: [
      ...(isForeignLevel(sources.env)
        ? [`LOG_LEVEL=${sources.env.LOG_LEVEL} is none of ${LEVELS.join(', ')} and was ignored.`]
        : []),
      ...refusals,
    ],
    refusals,
  });
}

function withDefaults(merged: Settings) {
  return {
    logLevel: merged.logLevel ?? 'info',
    toolsets: merged.toolsets,
    withoutTools: merged.withoutTools,
    readOnly: merged.readOnly ?? false,
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

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
