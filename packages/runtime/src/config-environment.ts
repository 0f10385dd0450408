import { parseSettings } from './parse-settings.ts';
import { LEVELS, type SettingName, type Settings } from './settings.ts';

type Variables = Readonly<Record<string, string | undefined>>;

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

/** The settings in variables. */
export function readEnvironment(env: Variables): Settings {
  const given = Object.entries(ENV).flatMap(([name, variables]) => {
    const variable = variables.find((candidate) => env[candidate]);
    if (variable === 'LOG_LEVEL' && isForeignLevel(env)) return [];
    return variable ? [{ name, variable, value: env[variable] }] : [];
  });
  const values = Object.fromEntries(given.map(({ name, value }) => [name, value]));
  return parseSettings(
    values,
    (name) => given.find((entry) => entry.name === name)?.variable ?? name,
  );
}

// Other programs use LOG_LEVEL too, with words of their own: no reason not to start.
export function isForeignLevel({ BATON_LOG_LEVEL, LOG_LEVEL }: Variables): boolean {
  return !BATON_LOG_LEVEL && !!LOG_LEVEL && !LEVELS.some((level) => level === LOG_LEVEL);
}
