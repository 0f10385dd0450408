import { isDeepStrictEqual } from 'node:util';
import { propertyNamed, readDocument, readValue } from './document.ts';
import { applied, insertion, newObject, removal, replacement } from './edits.ts';

/** What the text of a settings.json says about a key: `undefined` if it says nothing. */
export function readSetting(text: string, key: string): unknown {
  const property = propertyNamed(readDocument(text), key);
  return property && readValue(property.value);
}

/**
 * The text with another value for a key, or without it if the value is `undefined`. All else stays
 * as it is, byte for byte. The value must be one that `refusalOf` has nothing against.
 */
export function writeSetting(text: string, key: string, value: unknown): string {
  const document = readDocument(text);
  const { mark, root } = document;
  if (value === undefined) {
    return root ? mark + applied(document.text, removal(document.text, root, key)) : text;
  }
  const wanted: unknown = JSON.parse(JSON.stringify(value));
  if (!root) return mark + document.text + newObject(document.text, key, wanted);
  const property = propertyNamed(document, key);
  if (property && isDeepStrictEqual(readValue(property.value), wanted)) return text;
  const edits = property
    ? replacement(document.text, root, property, wanted)
    : insertion(document.text, root, key, wanted);
  return mark + applied(document.text, edits);
}
