import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The workbench asks galleries and services on the internet: no test may depend on an answer.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

export function launchBrowser(home: string): Promise<Browser> {
  const environment = { PATH: process.env['PATH'] ?? '', HOME: home };
  return chromium.launch({ executablePath: findChromium(), args: flags, env: environment });
}

function findChromium(): string {
  const found = process.env['BATON_TEST_CHROMIUM'] ?? inPath();
  if (found) return found;
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    spawnSync('apt-get', args, { stdio: ['ignore', 2, 2] });
  }
  const installed = inPath();
  if (!installed) throw new Error('There is no Chromium. Install one or set BATON_TEST_CHROMIUM.');
  return installed;
}

function inPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return ['chromium', 'chromium-browser', 'google-chrome']
    .flatMap((name) => folders.map((folder) => path.join(folder, name)))
    .find((file) => existsSync(file));
}
