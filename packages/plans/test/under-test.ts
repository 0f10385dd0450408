// What the simulation needs of plans beside what the package exports.
export { ACTIONS, type Action } from '../src/actions.ts';
export type { ControlOptions } from '../src/controlling.ts';
export type { JobDefinition } from '../src/definition.ts';
export { FAILURE_REASONS } from '../src/failure.ts';
export type { PlanPorts } from '../src/ports.ts';
export { PlanService, type PlanToCreate } from '../src/service.ts';
export {
  canBecome,
  JOB_TRANSITIONS,
  type JobState,
  PLAN_TRANSITIONS,
  type PlanState,
} from '../src/states.ts';
