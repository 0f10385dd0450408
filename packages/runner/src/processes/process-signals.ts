/** To numbers below 2 the system gives meanings like "everybody". */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  if (pid > 1 && pid !== process.pid) send(pid, signal);
}

export function signalGroup(group: number, signal: NodeJS.Signals): void {
  if (group > 1) send(-group, signal);
}

/** Cheap and certain if true. If false, there may still be nobody but zombies. */
export function isGroupEmpty(group: number): boolean {
  return group <= 1 || send(-group, 0) === 'ESRCH';
}

/** Zombies are there too, until their parent asks for them. */
export function isThere(pid: number): boolean {
  return send(pid, 0) !== 'ESRCH';
}

function send(target: number, signal: NodeJS.Signals | 0): string | undefined {
  try {
    process.kill(target, signal);
    return undefined;
  } catch (error) {
    // ESRCH: it was faster. EPERM: it has become another user's, and is not ours to end.
    return (error as NodeJS.ErrnoException).code;
  }
}
