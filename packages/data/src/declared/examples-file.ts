import type { Cell } from '../model.ts';
import type { Reading } from './declared.ts';
import { isRecord, itemsIn, type Place, recordIn } from './place.ts';
import { readJson } from './read-json.ts';

const MOST_EXAMPLES = 5;

/** A file of `examples/`: a record, several, or one with a description. */
export function readExamplesFile(text: string, file: string): Reading<readonly Cell[]> {
  return readJson(text, file, [], (place) => {
    const { value } = place;
    const first = Array.isArray(value) ? value.slice(0, MOST_EXAMPLES) : value;
    return itemsIn({ ...place, value: first }).flatMap((item) => exampleIn(withinSample(item)));
  });
}

/** It has been read from JSON, and so it is a cell. */
function exampleIn(place: Place): Cell[] {
  return recordIn(place) ? [place.value as Cell] : [];
}

/** In older files the record is one of two keys. */
function withinSample(place: Place): Place {
  const { value, path } = place;
  const isWrapped =
    isRecord(value) &&
    isRecord(value['sample']) &&
    Object.keys(value).every((key) => ['description', 'sample', 'name', 'file'].includes(key));
  return isWrapped ? { ...place, value: value['sample'], path: [...path, 'sample'] } : place;
}
