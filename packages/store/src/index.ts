export { queueTopic } from './announce.ts';
export type { Durability } from './driver.ts';
export type { BindingName } from './drivers/sqlite/binding.ts';
export { type EventPage, eventsAfter, newestEvent, type StoreEvent } from './events.ts';
export { expireLeases, type OnLost } from './expiry.ts';
export { type Gate, removeGate, type Scope, setGate } from './gates.ts';
export { nextTryIn, type ReadyGroup, readyGroups } from './groups.ts';
export type { Health } from './health.ts';
export type { Holding } from './holding.ts';
export { fingerprint, type OnceOptions, once } from './idempotency.ts';
export { LeaseWatch } from './lease-watch.ts';
export {
  beatLeases,
  claimLease,
  expireLease,
  guardLease,
  type HeldLease,
  type Holder,
  heldLeases,
  type Lease,
  releaseLease,
} from './leases.ts';
export { LogFiles, type LogPage, type LogWriter } from './log-files.ts';
export type { Migration, Schema } from './migrate.ts';
export { completeParked, failParked, parkWork } from './parking.ts';
export { createProcesses, type Processes } from './processes.ts';
export { defineQuery } from './query.ts';
export {
  addWork,
  attemptsOf,
  type Claim,
  type ClaimFilter,
  cancelWork,
  claimSome,
  claimWork,
  completeWork,
  type Failure,
  failWork,
  findWork,
  giveBackWork,
  guardWork,
  type NewWork,
  retryWork,
  setPriority,
  type Work,
} from './queue.ts';
export { cancelGroup, rearrangeWork, removeGroup, removeWork } from './rearrange.ts';
export { defaultRetention, prune, type Retention } from './retention.ts';
export { type HoldingOptions, openStore, type Store, type StoreOptions } from './store.ts';
export type { ChangeListener, Interest, StoreChanges } from './store-changes.ts';
export type { StoreTables, WorkState } from './tables.ts';
export type { Reading, Transaction } from './transaction.ts';
export { keepUp, type Pruning } from './upkeep.ts';
