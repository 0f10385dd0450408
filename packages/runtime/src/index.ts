export { aliases } from './aliases.ts';
export { builtInTools } from './built-in-tools.ts';
export { type Config, loadConfig, type SettingName } from './config.ts';
export { type BatonOptions, createBaton } from './create-baton.ts';
export { createLog } from './log.ts';
export { createLogFile, type LogFile } from './log-file.ts';
export { stateDirectory, userConfigFile } from './state-directory.ts';
export { findWorkspace } from './workspace.ts';
