import type { CommandSource, TrustedCommand } from '@baton/core';
import type { Reading, Transaction } from '@baton/store';

/** That a person has approved commands. */
export interface Grant extends CommandSource {
  readonly fingerprint: string;
  /** The way in which it was approved, for people. */
  readonly by: string;
  readonly at: number;
}

/** `commands` and `settings` are JSON, `at` wall milliseconds. */
type TrustTables = {
  trust: Record<'workspace' | 'source' | 'fingerprint' | 'commands' | 'by', string> & {
    at: number;
    /** Absent if an older Baton has asked, which did not show settings. */
    settings: string | null;
  };
};

const tablesOf = ({ db }: Reading) => db.withTables<TrustTables>();

export interface Approved {
  readonly fingerprint: string;
  /** Whether the person was shown the settings, too. */
  readonly isDetailed: boolean;
}

export async function findApproved(
  tx: Reading,
  { workspace, source }: CommandSource,
): Promise<Approved | undefined> {
  const row = await tablesOf(tx)
    .selectFrom('trust')
    .select(['fingerprint', 'settings'])
    .where('workspace', '=', workspace)
    .where('source', '=', source)
    .executeTakeFirst();
  return row && { fingerprint: row.fingerprint, isDetailed: row.settings !== null };
}

export async function saveGrant(tx: Transaction, grant: Omit<Grant, 'at'>): Promise<Grant> {
  const { workspace, source, commands, settings = {}, fingerprint, by } = grant;
  const change = {
    fingerprint,
    commands: JSON.stringify(commands),
    settings: JSON.stringify(settings),
    by,
    at: tx.now,
  };
  await tablesOf(tx)
    .insertInto('trust')
    .values({ workspace, source, ...change })
    .onConflict((conflict) => conflict.columns(['workspace', 'source']).doUpdateSet(change))
    .execute();
  return { ...grant, at: tx.now };
}

/** Whether there was one. */
export async function removeGrant(
  tx: Transaction,
  workspace: string,
  source: string,
): Promise<boolean> {
  const { numDeletedRows } = await tablesOf(tx)
    .deleteFrom('trust')
    .where('workspace', '=', workspace)
    .where('source', '=', source)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function grantsIn(tx: Reading, workspace: string): Promise<readonly Grant[]> {
  const rows = await tablesOf(tx)
    .selectFrom('trust')
    .selectAll()
    .where('workspace', '=', workspace)
    .orderBy('source')
    .execute();
  return rows.map(({ settings, ...row }) => ({
    ...row,
    commands: JSON.parse(row.commands) as readonly TrustedCommand[],
    ...(settings !== null && settings !== '{}' && { settings: JSON.parse(settings) }),
  }));
}
