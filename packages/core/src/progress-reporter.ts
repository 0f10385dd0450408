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
  let last = 0;
  let ended = false;
  let heardFromTool = false;
  const report = (update: Progress) => {
    if (ended || call.signal.aborted || update.progress <= last) return;
    last = update.progress;
    heardFromTool = true;
    send(update);
  };
  const timer = setInterval(() => {
    if (call.signal.aborted) return;
    // A tool's own scale must not be disturbed, yet each value has to be larger than the last.
    last += heardFromTool ? 1e-6 : heartbeatMs / 1000;
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
