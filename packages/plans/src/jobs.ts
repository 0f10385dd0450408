// What those need who run jobs.
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
export type { Environment } from './definition.ts';
export type { Sealer } from './environment.ts';
export type { FailureReason } from './failure.ts';
export { neededOutputs } from './needed-outputs.ts';
export { parseOutputs } from './outputs.ts';
export { QUEUE } from './plan-repository.ts';
export type { Workers } from './ports.ts';
export { resolveReferences } from './references.ts';
export { PlanService } from './service.ts';
export { STOP_TOPIC, stopRequests } from './stopping.ts';
export type { StoredJob } from './stored-job.ts';
