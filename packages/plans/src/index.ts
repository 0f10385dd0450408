export { ACTIONS, type Action } from './actions.ts';
export {
  type Claimed,
  claimJob,
  closedAttempts,
  isLost,
  loseJob,
  markReaped,
  type Result,
  recordStart,
  settleJob,
  unreapedAttempts,
} from './attempts.ts';
export { type Environment, planFile } from './definition.ts';
export { passedEnvironment, type Sealer } from './environment.ts';
export { FAILURE_REASONS, type FailureReason } from './failure.ts';
export { createPlansFeature } from './feature.ts';
export { neededOutputs } from './needed-outputs.ts';
export { parseOutputs } from './outputs.ts';
export { jobsOf, QUEUE, tables } from './plan-repository.ts';
export { planCommands } from './plan-source.ts';
export type { PlanPorts, Workers, WorkspaceFiles } from './ports.ts';
export { resolveReferences } from './references.ts';
export type { PlanService } from './service.ts';
export { STOP_TOPIC, stopRequests } from './stopping.ts';
export type { StoredJob } from './stored-job.ts';
export { plansSchema } from './tables.ts';
export { planTools } from './tools/index.ts';
