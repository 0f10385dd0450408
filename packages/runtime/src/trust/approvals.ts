import { approvalQuestion, type CommandSource, notTrusted, type Trust } from '@baton/core';
import type { StoreAccess } from '../store-access.ts';
import { findFingerprint, type Grant, grantsIn, removeGrant, saveGrant } from './grants.ts';

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
    const approved = await opened.read((tx) => findFingerprint(tx, source));
    if (approved === fingerprint) return { fingerprint, standing: 'approved' } as const;
    return { fingerprint, standing: approved === undefined ? 'new' : 'changed' } as const;
  };
  const grant = async ({ workspace, source, commands }: CommandSource, by: string) => {
    const fingerprint = await fingerprintOf({ workspace, source, commands });
    const opened = await store.open();
    return opened.write('durable', (tx) =>
      saveGrant(tx, { workspace, source, commands, fingerprint, by }),
    );
  };
  return {
    async require(source, asking) {
      const { fingerprint, standing } = await examine(source);
      if (standing === 'approved') return;
      if (!asking.can.ask) throw notTrusted(source, standing, 'cannot ask');
      const question = approvalQuestion(source, standing, fingerprint);
      if (!question) throw notTrusted(source, standing, 'too long');
      if (!asking.ask(question)?.approve) throw notTrusted(source, standing, 'declined');
      await grant(source, 'an answer in the client');
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

/** With the place, so that an answer about one file does not approve the same in another. */
async function fingerprintOf({ workspace, source, commands }: CommandSource): Promise<string> {
  // Only now, as the store itself: few processes ever need it.
  const { fingerprint } = await import('@baton/store');
  return fingerprint({ workspace, source, commands });
}
