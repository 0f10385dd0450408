export type { DataService } from '@baton/data';
export type { KnowledgeService, SearchAnswer as KnowledgeAnswer } from '@baton/knowledge';
export { type PlanView, passedEnvironment, planSchemas } from '@baton/plans';
export type { OnPoint } from '@baton/runner';
export type { Health, Store } from '@baton/store';
export type {
  BriefTicket,
  ExportedFile,
  FileToRead,
  FullTicket,
  ImportedFile,
  InboxItem,
  TicketFolder,
  TicketService,
} from '@baton/tickets';
export { aliases } from './aliases.ts';
export { builtInTools } from './built-in-tools.ts';
export { type Config, loadConfig } from './config.ts';
export { type BatonOptions, createBaton } from './create-baton.ts';
export { type DataSettings, openData, runDataEngine } from './data.ts';
export type { EditorSettings } from './editor.ts';
export { inputSchemas } from './input-schemas.ts';
export { type KnowledgeSettings, openKnowledge } from './knowledge.ts';
export { createLog } from './log.ts';
export { createLogFile, type LogFile } from './log-file.ts';
export {
  createWorker,
  type PlanSettings,
  startDetached,
  type WorkerProgram,
  type WorkerSettings,
} from './plans.ts';
export type { SettingName } from './settings.ts';
export {
  stateDirectory,
  storeFile,
  userConfigDirectory,
  userConfigFile,
  userTokenFile,
} from './state-directory.ts';
export { createStoreAccess, type StoreAccess } from './store-access.ts';
export { systemClock, systemIds } from './system-ports.ts';
export { openTickets } from './tickets.ts';
export { checkToken, createToken, readToken, removeToken, writeToken } from './token.ts';
export { createApprovals } from './trust/approvals.ts';
export { commandFiles } from './trust/command-files.ts';
export { readCommandSource } from './trust/command-source.ts';
export type { Grant } from './trust/grants.ts';
export { findWorkspace, trustedOwners } from './workspace.ts';
export { readWorkspaceFile, requireUnprotectedFolder, sourceName } from './workspace-file.ts';
