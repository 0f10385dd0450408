import type { DeclaredCategory, DeclaredField } from './declared.ts';
import { mergeFields } from './merge.ts';
import {
  flagIn,
  namesIn,
  type Place,
  present,
  quoted,
  recordIn,
  sayUnknown,
  textIn,
  textsIn,
} from './place.ts';
import { readFields, requiredFields } from './read-fields.ts';
import { readRelations } from './read-relations.ts';

type Given = ReadonlyMap<string, Place>;

const KNOWN = [
  ...['id', 'name', 'description', 'aliases', 'purpose', 'cadence', 'updateCadence', 'access'],
  ...['routing', 'routingHints', 'key', 'primaryKey', 'primaryKeys', 'labels', 'hidden', 'csv'],
  ...['fields', 'requiredFields', 'relations', 'relationships'],
];

const OLD_KNOWN = [
  ...['purpose', 'primaryKeys', 'updateCadence', 'access', 'requirements', 'orchestration'],
];

/** A category as `catalog.yaml` or `category.json` describes it. */
export function readCategory(given: Given, alsoKnown: readonly string[]): DeclaredCategory {
  sayUnknown(given, [...KNOWN, ...alsoKnown]);
  const any = (...names: string[]) =>
    names.map((name) => given.get(name)).find((place) => place !== undefined);
  return present({
    id: textIn(any('id')),
    name: textIn(any('name')),
    description: textIn(any('description')),
    aliases: textsIn(any('aliases')),
    purpose: textIn(any('purpose')),
    cadence: textIn(any('cadence', 'updateCadence')),
    access: textsIn(any('access'))?.join(', '),
    routing: textsIn(any('routing', 'routingHints')),
    key: namesIn(any('key', 'primaryKey')) ?? firstOf(any('primaryKeys')),
    labels: namesIn(any('labels')),
    isHidden: flagIn(any('hidden')) || undefined,
    fields: together(readFields(any('fields')), requiredFields(any('requiredFields'))),
    relations: readRelations(any('relations', 'relationships')),
    csv: readCsv(any('csv')),
  });
}

/** What older files have under `config`. */
export function readOldConfig(place: Place | undefined): DeclaredCategory {
  const config = recordIn(place);
  if (!config) return {};
  sayUnknown(config, OLD_KNOWN);
  const requirements = recordIn(config.get('requirements'));
  const orchestration = recordIn(config.get('orchestration'));
  const routing = ['summary', 'signals'].flatMap((name) => textsIn(orchestration?.get(name)) ?? []);
  const required = ['requiredRecordFields', 'requiredRelationshipFields'].flatMap((name) =>
    requiredFields(requirements?.get(name)),
  );
  return present({
    purpose: textIn(config.get('purpose')),
    cadence: textIn(config.get('updateCadence')),
    access: textsIn(config.get('access'))?.join(', '),
    routing: routing.length > 0 ? routing : undefined,
    key: firstOf(config.get('primaryKeys')),
    fields: together(undefined, required),
  });
}

/** Of several such keys each tells records apart by itself. */
function firstOf(place: Place | undefined): string[] | undefined {
  return namesIn(place)?.slice(0, 1);
}

function together(
  fields: readonly DeclaredField[] | undefined,
  required: readonly DeclaredField[],
): readonly DeclaredField[] | undefined {
  return fields || required.length > 0 ? mergeFields([fields ?? [], required]) : undefined;
}

function readCsv(place: Place | undefined): DeclaredCategory['csv'] {
  const csv = recordIn(place);
  if (!csv) return undefined;
  sayUnknown(csv, ['delimiter', 'header']);
  return present({
    delimiter: delimiterIn(csv.get('delimiter')),
    header: flagIn(csv.get('header')),
  });
}

function delimiterIn(place: Place | undefined): string | undefined {
  const [given] = namesIn(place) ?? [];
  const delimiter = given === '\\t' || given === 'tab' ? '\t' : given;
  if (delimiter === undefined || !place) return undefined;
  if (delimiter.length === 1 && !/["\r\n]/.test(delimiter)) return delimiter;
  place.say(
    place.path,
    `expected one character, no quote or line break; it is ${quoted(delimiter)}`,
  );
  return undefined;
}
