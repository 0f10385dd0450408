import { fstatSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import type { Stdout } from './io.ts';

/*
 * Imported before anything else. stdout belongs to the protocol: whatever a dependency prints,
 * through process.stdout or through console, which writes there, goes to stderr from here on.
 */
const stream = process.stdout;
const write = stream.write.bind(stream);

const toStderr: typeof stream.write = (...args: unknown[]) =>
  (process.stderr.write as (...args: unknown[]) => boolean)(...args);
stream.write = toStderr;

/** The real stdout. Only what is meant for the other side may be written here. */
export const stdout: Stdout = Object.assign(
  new Writable({
    decodeStrings: false,
    // A whole batch of replies, so that a client that reads is never taken for one that does not.
    highWaterMark: 1024 * 1024,
    write(chunk: Buffer | string, _encoding, done) {
      write(chunk, (error) => done(error));
    },
  }),
  {
    isTTY: stream.isTTY ?? false,
    size: () => (stream.isTTY ? { columns: stream.columns, rows: stream.rows } : undefined),
    isGone: isReaderGone,
    isPipe: () => fstatSync(stream.fd).isFIFO(),
  },
);

/**
 * To write nothing fails on a socket whose other side is closed, and most clients hand us sockets.
 * A pipe does not tell, and on Windows a reader could take it for the end.
 */
function isReaderGone(): boolean {
  if (process.platform === 'win32') return false;
  try {
    writeSync(stream.fd, '');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPIPE';
  }
}

stream.on('resize', () => stdout.emit('resize'));
stream.on('error', (error) => stdout.destroy(error));
// A client that closes stderr must not take the server down.
process.stderr.on('error', () => {});
