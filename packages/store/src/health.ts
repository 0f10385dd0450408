import type { Driver, Facts } from './driver.ts';
import { heldLeases } from './leases.ts';
import type { Store } from './store.ts';

export interface Health extends Facts {
  /** The version of each feature's tables. */
  readonly schemas: Readonly<Record<string, number>>;
  readonly leases: readonly {
    readonly name: string;
    readonly label: string;
    readonly isDead: boolean;
  }[];
}

export async function healthOf(store: Store, driver: Driver): Promise<Health> {
  const facts = await driver.facts();
  const { versions, held } = await store.read(async (tx) => ({
    versions: await tx.db.selectFrom('schemas').selectAll().orderBy('feature').execute(),
    held: await heldLeases(tx),
  }));
  return {
    ...facts,
    schemas: Object.fromEntries(versions.map(({ feature, version }) => [feature, version])),
    leases: held.map(({ name, label, process }) => ({
      name,
      label,
      isDead: process !== null && store.processes.isDead(process),
    })),
  };
}
