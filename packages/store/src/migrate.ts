import { BatonError } from '@baton/core';
import type { AnyTables, Queries } from './driver.ts';
import type { LeaseWatch } from './lease-watch.ts';
import { heldLeases } from './leases.ts';
import { ground } from './migrations/0001-ground.ts';
import { groups } from './migrations/0002-groups.ts';

/** One step of a feature's tables. Once released it never changes; the next one is added. */
export interface Migration {
  /** 1, 2, 3 … */
  readonly number: number;
  /**
   * Older processes cannot go on after it. Without this they can: then it only adds what they do
   * not need to know, such as a table, an index, or a column with a default.
   */
  readonly isBreaking?: boolean;
  up(db: AnyTables): Promise<void>;
}

export interface Schema {
  readonly feature: string;
  readonly migrations: readonly Migration[];
}

export const storeSchema: Schema = { feature: 'store', migrations: [ground, groups] };

/** Thrown while older processes still work; whoever opens the store waits and tries again. */
export class MigrationWaits extends BatonError {}

function latest({ migrations }: Schema): number {
  return migrations.at(-1)?.number ?? 0;
}

/** The versions that this process knows, as they stand in its leases: `plans:2 store:1`. */
export function knownVersions(schemas: readonly Schema[]): string {
  return schemas
    .map((schema) => `${schema.feature}:${latest(schema)}`)
    .sort()
    .join(' ');
}

export interface MigrateOptions {
  readonly place: string;
  readonly isWritable: boolean;
  readonly isNew: boolean;
  /** Knows which holders of leases are gone. */
  readonly watch: LeaseWatch;
}

/**
 * Brings the tables of every feature up to date, within the transaction that it is called in.
 * Tables that are newer are left alone: either they still suit us, or we refuse them untouched.
 */
export async function migrate(
  queries: Queries,
  schemas: readonly Schema[],
  options: MigrateOptions,
): Promise<void> {
  const versions = options.isNew ? new Map() : await readVersions(queries.db);
  for (const schema of schemas) refuseNewer(schema, versions, options.place);
  const outdated = schemas.filter(
    (schema) => (versions.get(schema.feature)?.version ?? 0) < latest(schema),
  );
  if (outdated.length === 0) return;
  if (!options.isWritable) throw outdatedReadOnly(options.place);
  if (options.isNew) await createVersions(queries.db);
  for (const schema of outdated) await bringUp(queries, schema, versions, options);
}

interface Version {
  readonly version: number;
  readonly min_compatible: number;
}

async function readVersions(db: AnyTables): Promise<Map<string, Version>> {
  const rows = await db
    .selectFrom('schemas')
    .select(['feature', 'version', 'min_compatible'])
    .execute();
  return new Map(rows.map((row) => [row.feature, row as Version]));
}

async function createVersions(db: AnyTables): Promise<void> {
  await db.schema
    .createTable('schemas')
    .addColumn('feature', 'text', (column) => column.primaryKey())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('min_compatible', 'integer', (column) => column.notNull())
    .execute();
}

function refuseNewer(schema: Schema, versions: Map<string, Version>, place: string): void {
  const found = versions.get(schema.feature);
  if (!found || found.min_compatible <= latest(schema)) return;
  throw new BatonError(
    'store_too_new',
    `The store ${place} was changed by a newer Baton: its ${schema.feature} needs version ${found.min_compatible} and this one knows ${latest(schema)}. It was left as it is.`,
    'Use the newer Baton here too, and restart what still runs the old one.',
  );
}

async function bringUp(
  queries: Queries,
  schema: Schema,
  versions: Map<string, Version>,
  { place, watch }: MigrateOptions,
): Promise<void> {
  const { db } = queries;
  const { feature } = schema;
  const from = versions.get(feature) ?? { version: 0, min_compatible: 0 };
  let minCompatible = from.min_compatible;
  for (const migration of schema.migrations) {
    if (migration.number <= from.version) continue;
    if (migration.isBreaking || migration.number === 1) minCompatible = migration.number;
    if (migration.isBreaking && from.version > 0) {
      await refuseWhileInUse(queries, feature, migration.number, place, watch);
    }
    await migration.up(db);
  }
  const row = { feature, version: latest(schema), min_compatible: minCompatible };
  await db
    .insertInto('schemas')
    .values(row)
    .onConflict((conflict) => conflict.column('feature').doUpdateSet(row))
    .execute();
}

async function refuseWhileInUse(
  queries: Queries,
  feature: string,
  needed: number,
  place: string,
  watch: LeaseWatch,
): Promise<void> {
  const held = await heldLeases(queries);
  const gone = new Set(watch.look(held));
  const older = held.filter(
    (lease) => !gone.has(lease) && versionIn(lease.schemas, feature) < needed,
  );
  if (older.length === 0) return;
  const names = [...new Set(older.map(({ label }) => label))].slice(0, 5).join(', ');
  throw new MigrationWaits(
    'store_migration_waits',
    `The store ${place} has to be changed for this Baton, but processes of an older one still work with it: ${names}.`,
    'Let them finish or stop them, then try again.',
  );
}

function versionIn(schemas: string, feature: string): number {
  const entry = schemas.split(' ').find((part) => part.startsWith(`${feature}:`));
  return Number(entry?.slice(feature.length + 1) ?? 0);
}

function outdatedReadOnly(place: string): BatonError {
  return new BatonError(
    'store_read_only',
    `The store ${place} is of an older Baton and cannot be brought up to date, because it cannot be written.`,
    'Make the file and its folder writable, or name another folder with BATON_STATE.',
  );
}
