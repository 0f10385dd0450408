import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';
import type { Installed } from './install.ts';
import type { Suite } from './suites.ts';

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

export interface Scenario {
  readonly name: string;
  readonly isRequired: boolean;
  readonly failures: readonly string[];
  readonly warnings: readonly string[];
}

export interface SuiteResult {
  readonly scenarios: readonly Scenario[];
  readonly exitCode: number | null;
  readonly output: string;
}

/** A limit for what hangs: a suite takes about ten seconds. */
const TIMEOUT_MS = 5 * 60_000;

/** Runs a suite against a URL and reads what it has found. */
export async function runSuite(
  suite: Suite,
  url: string,
  installed: Installed,
): Promise<SuiteResult> {
  const folder = installed.package(suite.version);
  const results = mkdtempSync(path.join(tmpdir(), 'baton-conformance-'));
  try {
    const program = path.join(folder, 'dist/index.js');
    const args = [program, 'server', '--url', url, ...suite.args, '--output-dir', results];
    const child = spawn(installed.node, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIMEOUT_MS,
    });
    const exited = new Promise<number | null>((resolve, reject) => {
      child.on('error', reject).on('close', resolve);
    });
    const [stdout, stderr, exitCode] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      exited,
    ]);
    const started = [...stdout.matchAll(/^=== Running scenario: (\S+) ===$/gm)].map(
      ([, name]) => name as string,
    );
    const required = suite.revision ? requiredFor(folder, suite.revision) : started;
    const found = readChecks(results);
    const scenarios = [...new Set([...required, ...started])].map((name) =>
      judge(name, required.includes(name), found.get(name)),
    );
    return { scenarios, exitCode, output: stdout + stderr };
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

function requiredFor(folder: string, revision: string): string[] {
  const file = path.join(folder, 'requirements', `${revision}.yaml`);
  const { server } = parse(readFileSync(file, 'utf8')) as { server: string[] };
  return server;
}

/** Each scenario leaves its checks in `server-<scenario>-<time>/checks.json`. */
function readChecks(folder: string): Map<string, readonly Check[]> {
  return new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => path.basename(file) === 'checks.json')
      .map((file) => [
        path
          .dirname(file)
          .replace(/^server-/, '')
          .replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ''),
        JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Check[],
      ]),
  );
}

function judge(name: string, isRequired: boolean, checks: readonly Check[] | undefined): Scenario {
  const messages = (status: Check['status']) =>
    (checks ?? [])
      .filter((check) => check.status === status)
      .map(({ id, errorMessage = 'no message' }) => `${id}: ${errorMessage}`);
  // A scenario that broke off leaves no checks, which must not look like success.
  const failures = checks?.length ? messages('FAILURE') : ['no checks were made'];
  return { name, isRequired, failures, warnings: messages('WARNING') };
}
