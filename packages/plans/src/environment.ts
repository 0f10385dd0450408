import type { Environment } from '@baton/core';

/**
 * What a job sees of the environment that its plan was made in. An allow-list: clients pass
 * different environments, often with secrets that no job asked for.
 */
const PASSED =
  /^(PATH|HOME|SHELL|USER|LOGNAME|LANG|LANGUAGE|LC_[A-Z]+|TERM|TZ|TMPDIR|TEMP|TMP|SSH_AUTH_SOCK|XDG_CONFIG_HOME|BATON_STATE|SystemRoot|SystemDrive|windir|ComSpec|PATHEXT|USERPROFILE|USERNAME|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|ProgramData|ProgramFiles|ProgramFiles\(x86\)|NUMBER_OF_PROCESSORS|PROCESSOR_ARCHITECTURE)$/i;

export function passedEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  alsoPassed: readonly string[],
): Environment {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    if (PASSED.test(name) || alsoPassed.includes(name)) passed[name] = value;
  }
  return passed;
}

/** Keeps values of variables from everybody who can read the store, its backups or its logs. */
export interface Sealer {
  seal(values: Environment): string;
  open(sealed: string): Environment;
}
