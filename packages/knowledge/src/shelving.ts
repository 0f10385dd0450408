import type { Shelf } from './folders/shelf.ts';
import type { Part, Segment } from './index/segment.ts';
import { Collection } from './matching/collection.ts';
import type { Problem } from './reading/piece.ts';

/** What is on all shelves at one moment. */
export interface Shelved {
  readonly collection: Collection;
  /** Entries by `kind/id`. */
  readonly places: ReadonlyMap<string, number>;
  readonly shelfOf: ReadonlyMap<Segment, Shelf>;
  readonly duplicates: readonly Problem[];
}

/** Of pieces with the same name the first counts: the workspace's own before the user's. */
export function shelve(shelves: readonly Shelf[]): Shelved {
  const parts: Part[] = [];
  const shelfOf = new Map<Segment, Shelf>();
  const owners = new Map<string, Owner>();
  const losers: Owner[] = [];
  let first = 0;
  for (const shelf of shelves) {
    for (const { segment, hidden } of shelf.parts) {
      // A copy: who stands behind another here does not in its folder.
      const part = { segment, hidden: hidden.slice() };
      for (let local = 0; local < segment.count; local++) {
        if (hidden[local]) continue;
        const loser = settle(owners, { shelf, part, local, entry: first + local });
        if (!loser) continue;
        loser.part.hidden[loser.local] = 1;
        losers.push(loser);
      }
      parts.push(part);
      shelfOf.set(segment, shelf);
      first += segment.count;
    }
  }
  const places = new Map<string, number>();
  for (const [key, { entry }] of owners) places.set(key, entry);
  const duplicates = losers.map((loser) => duplicateOf(loser, owners.get(keyOf(loser))));
  return { collection: new Collection(parts), places, shelfOf, duplicates };
}

/** Who has a name, or wants to have it. */
interface Owner {
  readonly shelf: Shelf;
  readonly part: Part;
  readonly local: number;
  readonly entry: number;
}

function keyOf({ part, local }: Owner): string {
  return part.segment.keys[local] ?? '';
}

function fileOf({ part, local }: Owner): string {
  return part.segment.paths[local] ?? '';
}

/** Gives a name to whoever comes first, in its folder by path; returns who does not get it. */
function settle(owners: Map<string, Owner>, claim: Owner): Owner | undefined {
  const key = keyOf(claim);
  const owner = owners.get(key);
  if (owner && (owner.shelf !== claim.shelf || fileOf(owner) < fileOf(claim))) return claim;
  owners.set(key, claim);
  return owner;
}

/** In one folder that is a mistake; of different folders, it is how one replaces another's. */
function duplicateOf(loser: Owner, winner: Owner | undefined): Problem {
  const severity = winner?.shelf === loser.shelf ? 'error' : 'warning';
  const place = winner && `${winner.shelf.source.name}/${fileOf(winner)}`;
  const message = `Another ${keyOf(loser)} comes before this one: ${place}.`;
  const file = `${loser.shelf.source.name}/${fileOf(loser)}`;
  return { file, line: 1, column: 1, severity, message };
}
