export interface FileStamp {
  readonly size: number;
  /** When its contents or its name changed last; 0 if it may change unnoticed. */
  readonly changed: number;
}

/** A file whose clock has not ticked since it changed may change again without a new time. */
const CLOCK_TICK_MS = 50;

export function stampOf(
  stat: { readonly size: number; readonly ctimeMs: number },
  now: number,
): FileStamp {
  const isSettled = Math.abs(now - stat.ctimeMs) > CLOCK_TICK_MS;
  return { size: stat.size, changed: isSettled ? stat.ctimeMs : 0 };
}
