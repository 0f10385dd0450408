export { aliases } from './aliases.ts';
export { builtInTools } from './built-in-tools.ts';
export { type Config, loadConfig } from './config.ts';
export { type BatonOptions, createBaton } from './create-baton.ts';
export { createLog } from './log.ts';
export { createLogFile, type LogFile } from './log-file.ts';
export type { SettingName } from './settings.ts';
export { stateDirectory, userConfigFile } from './state-directory.ts';
export { findWorkspace } from './workspace.ts';
