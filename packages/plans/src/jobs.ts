// What those need who run jobs.
export {
  type CheckRunPorts,
  cancelChecks,
  checkEvidence,
  endedChecks,
  startChecks,
} from './check-runs.ts';
export { type Claimed, type Claimer, claimJobs, recordStart } from './claiming.ts';
export { type PredictedConflict, savePredictions } from './conflicts.ts';
export type { Sealer } from './environment.ts';
export type { FailureReason } from './failure.ts';
export type { GitPart, NeededCommit } from './git-claim.ts';
export { isLanding, repositoryOf } from './git-jobs.ts';
export { type GitSettings, OWN_REPOSITORY } from './git-settings.ts';
export { GlobComparison } from './globs-overlap.ts';
export { ancestorsOf } from './graph.ts';
export { jobTicket } from './job-ticket.ts';
export { neededOutputs } from './needed-outputs.ts';
export { parseOutputs } from './outputs.ts';
export { isBefore, type Phase } from './phases.ts';
export { jobsOf, QUEUE } from './plan-repository.ts';
export type { JobTicket, JobTickets, Workers } from './ports.ts';
export { closedAttempts, markReaped, unreapedAttempts } from './reaping.ts';
export { resolveReferences } from './references.ts';
export { prunePlans } from './removing.ts';
export { Turns } from './scheduling.ts';
export { PlanService } from './service.ts';
export {
  isLost,
  loseJob,
  type Result,
  settleAttempt,
  settleJob,
  settleJobsPlan,
} from './settling.ts';
export { type Step, saveSteps } from './steps.ts';
export { STOP_TOPIC, stopRequests } from './stopping.ts';
export type { LandingWork, RunningWork, StoredJob } from './stored-job.ts';
export { parkJob, settleTicketJob, type TicketResult } from './ticket-jobs.ts';
export type { TicketWork } from './ticket-work.ts';
export {
  forgetRepository,
  forgetWorktree,
  hasLeftovers,
  keepsWorktree,
  keepWorktree,
  leftoversOf,
  type RepositoryRow,
  recordBase,
  recordLanding,
  recordMerged,
  recordSaved,
  recordWork,
  recordWorktree,
  refsOf,
  savedRefsOf,
  type WorktreeRow,
  worktreeOf,
} from './worktrees.ts';
