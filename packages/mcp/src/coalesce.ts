/** Runs something after a time, unless the returned function is called before. */
export type Schedule = (run: () => void, ms: number) => () => void;

export interface Coalesced {
  /** Runs it now, or once more at the end of the time that has begun with the last run. */
  request(): void;
  /** Nothing runs any more. */
  stop(): void;
}

const afterTime: Schedule = (run, ms) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};

/** Lets something run at most once in a time, and always after the last request for it. */
export function coalesce(run: () => void, ms: number, schedule: Schedule = afterTime): Coalesced {
  let cancel: (() => void) | undefined;
  let isDue = false;
  let isStopped = false;
  const runNow = () => {
    isDue = false;
    cancel = schedule(() => {
      cancel = undefined;
      if (isDue) runNow();
    }, ms);
    run();
  };
  return {
    request() {
      if (isStopped) return;
      if (cancel) isDue = true;
      else runNow();
    },
    stop() {
      isStopped = true;
      cancel?.();
    },
  };
}
