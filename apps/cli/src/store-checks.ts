import { BatonError } from '@baton/core';
import type { Health, Store, StoreAccess } from '@baton/runtime';
import type { Check } from './check.ts';

/** What `baton doctor` looks at in the store. It makes one if there is none, as any use would. */
export async function checkStore({ open }: StoreAccess): Promise<Check[]> {
  try {
    const store = await open();
    const health = await store.health();
    const schemas = Object.entries(health.schemas).map(([name, version]) => `${name} ${version}`);
    return [
      checkPlace(health),
      checkEngine(health),
      { name: 'schema', verdict: 'ok', found: schemas.join(', ') },
      await checkIntegrity(store),
      checkLeases(health.leases),
    ];
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    return [{ name: 'store', verdict: 'fail', found: error.message, next: error.next }];
  }
}

function checkPlace({ place, fileSystem, bytes, isWritable }: Health): Check {
  const found = `${place} on ${fileSystem}, ${Math.ceil(bytes / 1024)} KiB`;
  if (isWritable) return { name: 'store', verdict: 'ok', found };
  const next = 'Make the file and its folder writable, or name another folder with BATON_STATE.';
  return { name: 'store', verdict: 'fail', found: `${found}, cannot be written`, next };
}

function checkEngine({ engine, driver, journal }: Health): Check {
  const name = 'engine';
  const found = `${engine} by ${driver}, journal ${journal}`;
  if (journal === 'wal') return { name, verdict: 'ok', found };
  const next = 'Other processes would wait for each other: see that the folder can be written.';
  return { name, verdict: 'warn', found, next };
}

async function checkIntegrity(store: Store): Promise<Check> {
  const name = 'integrity';
  const [first, ...more] = await store.check();
  if (first === undefined) return { name, verdict: 'ok', found: 'no damage found' };
  return {
    name,
    verdict: 'fail',
    found: more.length === 0 ? first : `${first} (and ${more.length} more)`,
    next: '`baton store check` shows all. Stop all Baton processes and put a backup in its place.',
  };
}

function checkLeases(leases: Health['leases']): Check {
  const name = 'leases';
  const stale = leases.filter(({ isDead }) => isDead);
  const found = `${leases.length} held, ${stale.length} of them by dead processes`;
  if (stale.length === 0) return { name, verdict: 'ok', found };
  return {
    name,
    verdict: 'warn',
    found,
    next: 'The next worker takes them over; `baton store info` names them.',
  };
}
