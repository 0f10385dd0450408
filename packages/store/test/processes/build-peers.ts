import { renameSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '../../../..');

/** How many of the migrations of its tables a build of the peer knows. */
const peerVersions = [1, 2, 3] as const;
export type PeerVersion = (typeof peerVersions)[number];

export function peerProgram(version: PeerVersion): string {
  return path.join(root, `node_modules/.cache/baton/store-peer-${version}.mjs`);
}

/** Bundles the program that the tests with processes spawn: of one source, several versions. */
export async function buildPeers(): Promise<void> {
  await Promise.all(peerVersions.map(buildPeer));
}

async function buildPeer(version: PeerVersion): Promise<void> {
  const outfile = peerProgram(version);
  const unfinished = `${outfile}.${process.pid}`;
  await build({
    entryPoints: [path.join(import.meta.dirname, 'programs/peer.ts')],
    outfile: unfinished,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    define: { KNOWN_MIGRATIONS: String(version) },
    external: ['@photostructure/sqlite'],
    logLevel: 'warning',
  });
  // In one step: somebody may be starting the program right now.
  renameSync(unfinished, outfile);
}
