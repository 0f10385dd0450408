import { batonEngine } from './baton-engine.ts';
import type { Document } from './material.ts';
import { type Engine, PEERS, peers } from './peers.ts';

export const ENGINES = [...PEERS, 'baton'] as const;
export type EngineName = (typeof ENGINES)[number];

export const engines: Readonly<Record<EngineName, (documents: readonly Document[]) => Engine>> = {
  ...peers,
  baton: (documents) => batonEngine(documents),
};
