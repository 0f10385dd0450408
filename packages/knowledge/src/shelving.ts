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
  const parts = partsOf(shelves);
  const places = new Map<string, number>();
  const losers: Place[] = [];
  for (const part of parts) {
    for (const [local, key] of part.segment.keys.entries()) {
      if (part.hidden[local]) continue;
      const owner = places.get(key);
      if (owner === undefined) places.set(key, part.first + local);
      else losers.push(settle(places, key, placeOf(parts, owner), { part, local }));
    }
  }
  for (const { part, local } of losers) part.hidden[local] = 1;
  return {
    collection: new Collection(parts),
    places,
    shelfOf: new Map(parts.map(({ segment, shelf }) => [segment, shelf])),
    duplicates: losers.map((loser) => {
      const winner = places.get(loser.part.segment.keys[loser.local] ?? '') ?? 0;
      return duplicateOf(loser, placeOf(parts, winner));
    }),
  };
}

interface ShelvedPart extends Part {
  readonly shelf: Shelf;
  /** Number of its first entry. */
  readonly first: number;
}

interface Place {
  readonly part: ShelvedPart;
  readonly local: number;
}

function partsOf(shelves: readonly Shelf[]): ShelvedPart[] {
  let first = 0;
  return shelves.flatMap((shelf) =>
    shelf.parts.map(({ segment, hidden }) => {
      // A copy: who stands behind another here does not in its folder.
      const part = { shelf, segment, hidden: hidden.slice(), first };
      first += segment.count;
      return part;
    }),
  );
}

function placeOf(parts: readonly ShelvedPart[], entry: number): Place {
  const part = parts.findLast(({ first }) => first <= entry);
  if (!part) throw new RangeError(`There is no entry ${entry}`);
  return { part, local: entry - part.first };
}

function fileOf({ part, local }: Place): string {
  return part.segment.paths[local] ?? '';
}

/** Of one folder the first by path keeps the name; returns who does not get it. */
function settle(places: Map<string, number>, key: string, owner: Place, claim: Place): Place {
  const isSameShelf = owner.part.shelf === claim.part.shelf;
  if (!isSameShelf || fileOf(owner) < fileOf(claim)) return claim;
  places.set(key, claim.part.first + claim.local);
  return owner;
}

/** In one folder that is a mistake; of different folders, it is how one replaces another's. */
function duplicateOf(loser: Place, winner: Place): Problem {
  const severity = winner.part.shelf === loser.part.shelf ? 'error' : 'warning';
  const { keys } = loser.part.segment;
  const message = `Another ${keys[loser.local]} comes before this one: ${nameOf(winner)}.`;
  return { file: nameOf(loser), line: 1, column: 1, severity, message };
}

function nameOf(place: Place): string {
  return `${place.part.shelf.source.name}/${fileOf(place)}`;
}
