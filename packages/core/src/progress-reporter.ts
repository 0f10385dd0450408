import type { CallContext } from './call.ts';
import type { Progress } from './tool.ts';

export interface Reporter {
  report(update: Progress): void;
  stop(): void;
}

const SILENT: Reporter = { report() {}, stop() {} };

/** Forwards progress while the call runs, rising as the protocol demands, and fills silences. */
export function createReporter(call: CallContext, heartbeatMs: number): Reporter {
  const send = call.progress;
  if (!send) return SILENT;
  let last = -1;
  let ended = false;
  const report = (update: Progress) => {
    if (ended || call.signal.aborted || update.progress <= last) return;
    last = update.progress;
    send(update);
  };
  const timer = setInterval(() => {
    if (call.signal.aborted) return;
    // Each value has to be larger than the last, and smaller than the tool's own next one.
    last = Math.max(last, 0) + 1e-6;
    send({ progress: last, message: 'still running' });
  }, heartbeatMs);
  return {
    report,
    stop() {
      ended = true;
      clearInterval(timer);
    },
  };
}
