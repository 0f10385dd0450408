import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { type Baton, escapeLine, type Workspace } from '@baton/core';
import {
  type Config,
  createBaton,
  createLog,
  createLogFile,
  createStoreAccess,
  findWorkspace,
  type LogFile,
  loadConfig,
  type PlanSettings,
  passedEnvironment,
  type SettingName,
  type StoreAccess,
  stateDirectory,
  storeFile,
  systemClock,
  systemIds,
  trustedOwners,
  userConfigDirectory,
  userConfigFile,
  type WorkerSettings,
} from '@baton/runtime';
import packageJson from '../package.json' with { type: 'json' };
import type { Parsed } from './flags.ts';
import type { Extras, Io } from './io.ts';
import { createWorkerProgram } from './worker-program.ts';

export const version: string = packageJson.version;

/** The word that makes the program run the engine for data. */
export const DATA_ENGINE = 'data-engine';

/** A configured Baton and what it was configured from. */
export interface Session extends AsyncDisposable {
  readonly baton: Baton;
  readonly config: Config;
  readonly workspace: Workspace;
  /** Also those about the workspace itself. */
  readonly warnings: readonly string[];
  readonly state: string;
  readonly store: StoreAccess;
  readonly logFile: LogFile;
}

export interface SessionOptions {
  /** A server tells what it does on stderr; a command has said everything with its result. */
  readonly logTo: 'stderr and file' | 'file';
}

/** Beyond this, lines are kept back from a stderr that nobody reads; the file has them all. */
const MAX_UNREAD_STDERR = 1024 * 1024;

const FLAG_SETTINGS: Readonly<Record<string, SettingName>> = {
  toolsets: 'toolsets',
  'without-tools': 'withoutTools',
  'read-only': 'readOnly',
  'log-level': 'logLevel',
  'max-message-bytes': 'maxMessageBytes',
  port: 'port',
};

export async function openSession(
  io: Io,
  { values }: Parsed,
  extras: Extras,
  { logTo }: SessionOptions,
): Promise<Session> {
  const named = (values.workspace as string | undefined) ?? (io.env.BATON_WORKSPACE || undefined);
  const { workspace, refusals } = findWorkspace(path.resolve(io.cwd, named ?? io.cwd), {
    isNamed: named !== undefined,
    owners: trustedOwners(io.env),
  });
  const config = await loadConfig({
    flags: settingsFrom(values),
    env: io.env,
    workspace,
    userFile: userConfigFile(),
  });
  const state = stateDirectory((values['state-dir'] as string | undefined) ?? io.env.BATON_STATE);
  const toStderr = (line: string) => {
    if (io.stderr.writableLength < MAX_UNREAD_STDERR) io.stderr.write(`${line}\n`);
  };
  const warnings = [...refusals, ...config.warnings];
  const logFile = createLogFile(path.join(state, 'logs'), (reason) => {
    warnings.push(reason);
    log.write('warn', reason);
  });
  const sinks = logTo === 'file' ? [logFile.write] : [toStderr, logFile.write];
  const log = createLog(config.logLevel, sinks);
  for (const warning of [...refusals, ...config.warnings]) log.write('warn', warning);
  // A command's log is a file that few look at: a person hears of this whatever they run.
  const told = logTo === 'file' ? [...refusals, ...config.refusals] : [];
  for (const refused of told) toStderr(`baton: warning: ${escapeLine(refused)}`);
  const store = createStoreAccess({
    file: storeFile(state),
    clock: systemClock,
    ids: systemIds,
    log: log.child('store'),
  });
  const program = realpathSync(process.argv[1] ?? '');
  const baton = createBaton({
    ...extras,
    version,
    workspace,
    log,
    store,
    plans: planSettings(io, config, state, extras),
    knowledge: {
      state,
      userFolder: userConfigDirectory(),
      knowledge: config.knowledge,
      prompts: config.prompts,
    },
    data: {
      state,
      userFolder: userConfigDirectory(),
      data: config.data,
      program: { file: program, args: [DATA_ENGINE] },
    },
    editor: {
      state,
      program,
      languageServers: config.languageServers,
      allowedSettings: config.allowedSettings,
      link: linkFrom(io.env),
    },
    maxClaims: config.maxClaims,
    warnings,
    toolsets: config.toolsets,
    withoutTools: config.withoutTools,
    readOnly: config.readOnly,
  });
  return {
    baton,
    config,
    workspace,
    warnings,
    state,
    store,
    logFile,
    [Symbol.asyncDispose]: () => store.close(),
  };
}

/** For those who only look: that must not make a store. */
export function hasStore({ store }: Session): boolean {
  return existsSync(store.file) || existsSync(`${store.file}-wal`);
}

/** An editor tells its own children how to ask it. */
function linkFrom({ BATON_EDITOR: file, BATON_EDITOR_TOKEN: token }: Io['env']) {
  return file && token ? { path: file, token } : undefined;
}

function planSettings(io: Io, config: Config, state: string, { onPoint }: Extras): PlanSettings {
  return {
    state,
    environment: passedEnvironment(io.env, config.passEnv),
    workerMode: config.worker,
    worker: workerSettings(config, onPoint),
    workerProgram: createWorkerProgram(io, state),
  };
}

export function workerSettings(config: Config, onPoint: Extras['onPoint']): WorkerSettings {
  const { maxJobs, workerIdleSeconds, keepAwake } = config;
  return { maxJobs, idleSeconds: workerIdleSeconds, keepAwake, onPoint };
}

function settingsFrom(values: Parsed['values']): Partial<Record<SettingName, unknown>> {
  return Object.fromEntries(
    Object.entries(FLAG_SETTINGS).flatMap(([flag, setting]) =>
      values[flag] === undefined ? [] : [[setting, values[flag]]],
    ),
  );
}
