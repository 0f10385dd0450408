import { accessSync, constants, mkdirSync, statfsSync } from 'node:fs';
import { BatonError } from '@baton/core';
import { readToken, userTokenFile } from '@baton/runtime';
import type { Check } from '../check.ts';
import type { Command } from '../command.ts';
import { print } from '../io.ts';
import { openSession, type Session, version } from '../session.ts';
import { checkStore } from '../store-checks.ts';

const MIN_FREE_BYTES = 200 * 1024 * 1024;

export const doctor: Command = {
  name: 'doctor',
  summary: 'check that everything Baton needs is in order and say what to do if not',
  usage: 'baton doctor [--json] [flags]',
  flags: { json: { type: 'boolean', summary: 'print the findings as JSON' } },
  examples: ['baton doctor', 'baton doctor --workspace ~/src/acme'],
  maxArguments: 0,
  async run(io, parsed, extras) {
    const checks = [checkNode()];
    try {
      await using session = await openSession(io, parsed, extras, { logTo: 'file' });
      checks.push(...checkSession(session), ...(await checkStore(session.store)));
      checks.push(await checkCall(session));
    } catch (error) {
      if (!(error instanceof BatonError)) throw error;
      checks.push({ name: error.code, verdict: 'fail', found: error.message, next: error.next });
    }
    await print(io.stdout, parsed.values.json ? JSON.stringify(checks, null, 2) : report(checks));
    return checks.some(({ verdict }) => verdict === 'fail') ? 1 : 0;
  },
};

function report(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.map(({ name, verdict, found, next }) => {
    const line = `${verdict.padEnd(4)}  ${name.padEnd(width)}  ${found}`;
    return next ? `${line}\n${' '.repeat(width + 8)}→ ${next}` : line;
  });
  return [`Baton ${version}`, ...lines].join('\n');
}

function checkNode(): Check {
  const major = Number(process.versions.node.split('.')[0]);
  const name = 'node';
  const found = `${process.version} on ${process.platform} ${process.arch}`;
  if (major >= 20) return { name, verdict: 'ok', found };
  return { name, verdict: 'fail', found, next: 'Install Node.js 20 or newer.' };
}

function checkSession(session: Session): Check[] {
  const { workspace, config, warnings, baton } = session;
  return [
    {
      name: 'workspace',
      verdict: 'ok',
      found: `${workspace.path} (found by ${workspace.foundBy})`,
    },
    { name: 'config', verdict: 'ok', found: config.files.join(', ') || 'no files, all defaults' },
    ...warnings.map((found) => ({ name: 'config', verdict: 'warn' as const, found })),
    checkState(session),
    checkLastingToken(),
    { name: 'log', verdict: 'ok', found: `${session.logFile.path} (level ${config.logLevel})` },
    {
      name: 'tools',
      verdict: 'ok',
      found: `${baton.catalogue.tools.length} offered${config.readOnly ? ', read-only' : ''}`,
    },
  ];
}

function checkState({ state }: Session): Check {
  const name = 'state';
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 });
    accessSync(state, constants.W_OK);
    const { bavail, bsize } = statfsSync(state);
    const free = bavail * bsize;
    const found = `${state}, ${Math.round(free / 1024 ** 2)} MiB free`;
    if (free >= MIN_FREE_BYTES) return { name, verdict: 'ok', found };
    return { name, verdict: 'warn', found, next: 'Free some disk space.' };
  } catch (error) {
    return {
      name,
      verdict: 'fail',
      found: `${state}: ${(error as Error).message}`,
      next: 'Make the folder writable, or name another with --state-dir or BATON_STATE.',
    };
  }
}

function checkLastingToken(): Check {
  const name = 'token';
  const file = userTokenFile();
  try {
    const found = readToken(file) ? `${file} (lasting)` : 'new at each start of baton serve';
    return { name, verdict: 'ok', found };
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    return { name, verdict: 'fail', found: error.message, next: error.next };
  }
}

async function checkCall({ baton }: Session): Promise<Check> {
  const name = 'call';
  const outcome = await baton.call('status', {}, { signal: AbortSignal.timeout(5000) });
  if (outcome.kind === 'result') return { name, verdict: 'ok', found: 'status answers' };
  const found = outcome.kind === 'error' ? outcome.error.message : 'status asks a question';
  return { name, verdict: 'fail', found, next: 'Report this with the log file named above.' };
}
