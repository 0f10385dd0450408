// What every process knows of plans. What only those need who use them is in jobs.ts.
export { planSchemas } from './definition.ts';
export { passedEnvironment, type Sealer } from './environment.ts';
export { createPlansFeature } from './feature.ts';
export type { GitSettings } from './git-settings.ts';
export { planCommands } from './plan-source.ts';
export type {
  JobTicket,
  JobTickets,
  PlanPorts,
  Repositories,
  Workers,
  WorkspaceFiles,
} from './ports.ts';
export type { PlanService } from './service.ts';
export { plansSchema } from './tables.ts';
export { planTools } from './tools/index.ts';
export type { PlanView } from './tools/plan-get.ts';
