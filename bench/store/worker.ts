import { createInterface } from 'node:readline';
import { claimTickets } from '../tickets/bare-claims.ts';
import { grow } from './grow.ts';
import { hear, send } from './notices.ts';
import { openTimes } from './open-times.ts';
import type { Options, Role } from './protocol.ts';
import { claims, inserts } from './throughput.ts';
import { prepareFile, verifyFile } from './whole-file.ts';

/** Each gets ready, and is told when to begin. */
const ROLES: Readonly<Record<Role, (options: Options) => Promise<() => unknown>>> = {
  prepare: prepareFile,
  verify: verifyFile,
  inserts,
  claims,
  tickets: claimTickets,
  open: openTimes,
  send,
  hear,
  grow,
};

function say(message: unknown): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

try {
  const [role = '', options = ''] = process.argv.slice(2);
  const run = await ROLES[role as Role](JSON.parse(options));
  say('ready');
  for await (const _ of createInterface(process.stdin)) {
    say({ result: await run() });
    break;
  }
} catch (error) {
  say({ error: error instanceof Error ? error.stack : String(error) });
}
process.exit();
