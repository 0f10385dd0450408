import { describeError, type Log } from '@baton/core';

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Closes a server when the process is told to stop, and lets it live through stray errors. */
export function supervise(log: Log, close: () => Promise<void>): void {
  const stop = (signal: NodeJS.Signals) => {
    log.write('info', `received ${signal}`);
    close().catch((error: unknown) => log.write('error', String(error)));
  };
  // One stray rejection of one call must not take the other calls down.
  const survive = (error: unknown) => log.write('error', `unexpected: ${describeError(error)}`);
  process.on('uncaughtException', survive).on('unhandledRejection', survive);
  for (const signal of SIGNALS) process.on(signal, stop);
}
