import type { DeclaredRelation } from './declared.ts';
import {
  itemsIn,
  nameIn,
  oneOf,
  type Place,
  present,
  recordIn,
  sayUnknown,
  textIn,
} from './place.ts';

const FIELD = ['field', 'sourceField', 'viaField'];
const TO = ['to', 'target', 'targetCategory'];
const TO_FIELD = ['toField', 'targetField'];
const KNOWN = ['name', 'key', ...FIELD, ...TO, ...TO_FIELD, 'cardinality', 'description'];

const CARDINALITIES = ['one', 'many'] as const;
const SPELLINGS: ReadonlyMap<string, 'one' | 'many'> = new Map([
  ['one-to-one', 'one'],
  ['many-to-one', 'one'],
  ['one-to-many', 'many'],
  ['many-to-many', 'many'],
]);

/** Relations by name, or as a list. */
export function readRelations(place: Place | undefined): DeclaredRelation[] | undefined {
  if (Array.isArray(place?.value)) return itemsIn(place).flatMap((item) => readRelation(item));
  const relations = recordIn(place);
  return relations && [...relations].flatMap(([name, relation]) => readRelation(relation, name));
}

function readRelation(place: Place, known?: string): DeclaredRelation | [] {
  const isNone = place.value === 'none' || place.value === false;
  if (isNone && known !== undefined) return { name: known, field: known, to: '', isNone: true };
  const relation = recordIn(place);
  if (!relation) {
    if (place.value === null) place.say(place.path, 'expected `none`, or a `field` and a `to`');
    return [];
  }
  sayUnknown(relation, KNOWN);
  const any = (names: readonly string[]) =>
    nameIn(names.map((name) => relation.get(name)).find((given) => given !== undefined));
  const field = any(FIELD);
  const to = any(TO);
  if (field === undefined || to === undefined) {
    const [missing] = field === undefined ? FIELD : TO;
    place.say(place.path, `\`${missing}\` is missing, and without it nothing is related`);
    return [];
  }
  return {
    // A key is what programs call it, its name is a title.
    name: known ?? any(['key', 'name']) ?? to,
    field,
    to,
    ...present({
      toField: any(TO_FIELD),
      cardinality: oneOf(relation.get('cardinality'), CARDINALITIES, SPELLINGS),
      description: textIn(relation.get('description')),
    }),
  };
}
