// The tests below cannot reach src by themselves: lint takes `../../src` for another package's.
export { startDetached } from '../src/processes/detached-program.ts';
export { JobFamily } from '../src/processes/job-family.ts';
export {
  type JobProcess,
  type ProcessCommand,
  startJobProcess,
} from '../src/processes/job-process.ts';
export { trackingIdIn } from '../src/processes/linux-processes.ts';
export { trackedIn } from '../src/processes/mac-processes.ts';
export { signalGroup, signalProcess } from '../src/processes/process-signals.ts';
export { shellCommand } from '../src/processes/shell-command.ts';
export { endRecordedGroup, endTracked, findTracked } from '../src/processes/tracked-processes.ts';
