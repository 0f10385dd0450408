export { KeepAwake } from './keep-awake.ts';
export { KEPT_WORK_POINTS, type OnPoint, POINTS, type Point, WORKTREE_POINTS } from './points.ts';
export { type Detached, startDetached } from './processes/detached-program.ts';
export { Worker, type WorkerOptions } from './worker.ts';
export { createWorkers, type StartedWorker, type WorkerMode } from './workers.ts';
export {
  findWorkspaceRepository,
  permittedCall,
  repositorySources,
} from './worktree/git-ground.ts';
export { saveWork } from './worktree/kept-work.ts';
