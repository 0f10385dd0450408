export { KeepAwake } from './keep-awake.ts';
export { type OnPoint, POINTS, type Point, WORKTREE_POINTS } from './points.ts';
export { startDetached } from './processes/detached-program.ts';
export { Worker, type WorkerOptions } from './worker.ts';
export { createWorkers, type WorkerMode } from './workers.ts';
export { findWorkspaceRepository, repositorySources } from './worktree/git-ground.ts';
