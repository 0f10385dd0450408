import { type BindingName, openStore } from '@baton/store';
import { createOperations, type OperationsOptions } from './operations.ts';
import { say, serveRequests } from './requests.ts';
import { measureSqlite, Stretches } from './stretches.ts';
import { knownSchema } from './tables.ts';

export interface PeerOptions extends OperationsOptions {
  readonly file: string;
  readonly deadlineMs: number;
  /** How far this process believes to be from the true time. */
  readonly wallShiftMs: number;
  readonly binding?: BindingName;
}

const options = JSON.parse(process.argv[2] ?? '') as PeerOptions;
const { file, binding, deadlineMs, wallShiftMs } = options;
const stretches = new Stretches();
measureSqlite(stretches);

const log = {
  isEnabled: () => true,
  write: (level: string, message: string) => say('log', { level, message }),
  child: () => log,
};
const store = await openStore({
  file,
  deadlineMs,
  schemas: [knownSchema()],
  log,
  clock: { now: () => Date.now() + wallShiftMs, monotonic: () => performance.now() },
  ids: { next: () => crypto.randomUUID() },
  ...(binding && { binding }),
});
serveRequests(createOperations(store, options, stretches));
say('ready', { pid: process.pid });
