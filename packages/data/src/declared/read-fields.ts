import { FIELD_TYPES, type FieldType } from '../model.ts';
import type { DeclaredField } from './declared.ts';
import {
  flagIn,
  itemsIn,
  nameIn,
  namesIn,
  oneOf,
  type Place,
  present,
  recordIn,
  sayUnknown,
  textIn,
  textsIn,
} from './place.ts';

const KNOWN = ['name', 'type', 'description', 'aliases', 'required', 'secret'];

/** What others call the types. */
const SPELLINGS: ReadonlyMap<string, FieldType> = new Map([
  ...(['string', 'str', 'varchar'] as const).map((name) => [name, 'text'] as const),
  ...(['int', 'bigint', 'long'] as const).map((name) => [name, 'integer'] as const),
  ...(['float', 'double', 'decimal'] as const).map((name) => [name, 'number'] as const),
  ['bool', 'boolean'],
  ...(['datetime', 'date-time', 'time'] as const).map((name) => [name, 'timestamp'] as const),
  ['array', 'list'],
  ['object', 'json'],
  ...(['blob', 'bytes'] as const).map((name) => [name, 'binary'] as const),
]);

/** `fields`, by name or as a list. A field that is only a text is its description. */
export function readFields(place: Place | undefined): DeclaredField[] | undefined {
  if (Array.isArray(place?.value)) {
    return itemsIn(place).flatMap((item) => {
      if (typeof item.value === 'string') return readField(item, nameIn(item));
      const field = recordIn(item);
      const name = nameIn(field?.get('name'));
      if (field && name === undefined) item.say(item.path, 'the name of the field is missing');
      return readField(item, name);
    });
  }
  const fields = recordIn(place);
  return fields && [...fields].flatMap(([name, field]) => readField(describing(field), name));
}

export function requiredFields(place: Place | undefined): DeclaredField[] {
  return (namesIn(place) ?? []).map((name) => ({ name, isRequired: true }));
}

function describing(field: Place): Place {
  if (typeof field.value !== 'string') return field;
  return { ...field, value: { description: field.value } };
}

function readField(place: Place, name: string | undefined): DeclaredField | [] {
  if (name === undefined) return [];
  if (typeof place.value === 'string') return { name };
  const field = recordIn(place);
  if (!field) return place.value === null ? { name } : [];
  sayUnknown(field, KNOWN);
  const secret = field.get('secret');
  return {
    name,
    ...present({
      type: oneOf(field.get('type'), FIELD_TYPES, SPELLINGS),
      description: textIn(field.get('description')),
      aliases: textsIn(field.get('aliases')),
      isRequired: flagIn(field.get('required')) || undefined,
      // Whatever was meant by something else, to show the values would be the worse mistake.
      isSecret: (flagIn(secret) ?? (secret?.value ?? undefined) !== undefined) || undefined,
    }),
  };
}
