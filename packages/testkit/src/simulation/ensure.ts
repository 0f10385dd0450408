/** What must hold does not. */
class Violation extends Error {}

export function ensure(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Violation(otherwise);
}

export function existing<Item>(item: Item | undefined, otherwise: string): Item {
  ensure(item !== undefined, otherwise);
  return item as Item;
}
