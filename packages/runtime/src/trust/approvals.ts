import {
  approvalQuestion,
  type CommandSource,
  notTrusted,
  type Trust,
  type Unapproved,
} from '@baton/core';
import type { StoreAccess } from '../store-access.ts';
import {
  type Approved,
  findApproved,
  type Grant,
  grantsIn,
  removeGrant,
  saveGrant,
} from './grants.ts';

/** What a person manages; features have the part of it that is `Trust`. */
export interface Approvals extends Trust {
  /** Replaces what was approved of this source before. */
  grant(source: CommandSource, by: string): Promise<Grant>;
  /** Whether there was something to revoke. */
  revoke(workspace: string, source: string): Promise<boolean>;
  list(workspace: string): Promise<readonly Grant[]>;
}

export function createApprovals(store: Pick<StoreAccess, 'open'>): Approvals {
  const examine = async (source: CommandSource) => {
    const fingerprint = await fingerprintOf(source);
    // Where nothing would run there is nothing to ask.
    if (source.commands.length === 0) return { fingerprint, standing: 'approved' } as const;
    const opened = await store.open();
    const approved = await opened.read((tx) => findApproved(tx, source));
    return { fingerprint, standing: await standingOf(source, fingerprint, approved) } as const;
  };
  const grant = async (source: CommandSource, by: string) => {
    const fingerprint = await fingerprintOf(source);
    const opened = await store.open();
    return opened.write('durable', (tx) => saveGrant(tx, { ...source, fingerprint, by }));
  };
  return {
    async require(source, asking) {
      const { fingerprint, standing } = await examine(source);
      if (standing === 'approved') return;
      if (!asking.can.ask) throw notTrusted(source, standing, 'cannot ask');
      const question = approvalQuestion(source, standing, fingerprint);
      if (!question) throw notTrusted(source, standing, 'too long');
      if (!asking.ask(question)?.approve) throw notTrusted(source, standing, 'declined');
      await grant(source, `an answer ${asking.isTerminal ? 'on the terminal' : 'in the client'}`);
    },
    isTrusted: async (source) => (await examine(source)).standing === 'approved',
    grant,
    async revoke(workspace, source) {
      const opened = await store.open();
      return opened.write('durable', (tx) => removeGrant(tx, workspace, source));
    },
    async list(workspace) {
      const opened = await store.open();
      return opened.read((tx) => grantsIn(tx, workspace));
    },
  };
}

async function standingOf(
  source: CommandSource,
  fingerprint: string,
  approved: Approved | undefined,
): Promise<Unapproved | 'approved'> {
  if (approved === undefined) return 'new';
  if (approved.fingerprint === fingerprint) return 'approved';
  if (approved.isDetailed) return 'changed';
  // An older Baton showed the commands alone, and these are the ones: nobody can tell what else
  // the file said then.
  const { settings: _, ...shown } = source;
  return approved.fingerprint === (await fingerprintOf(shown)) ? 'detailed' : 'changed';
}

/** With the place, so that an answer about one file does not approve the same in another. */
async function fingerprintOf(approved: CommandSource): Promise<string> {
  const { workspace, source, commands, settings = {} } = approved;
  const hasSettings = Object.keys(settings).length > 0;
  // Only now, as the store itself: few processes ever need it.
  const { fingerprint } = await import('@baton/store');
  // Without settings it is what it was before there were any, so that approvals stay good.
  return fingerprint({ workspace, source, commands, ...(hasSettings && { settings }) });
}
