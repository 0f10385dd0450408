/** The parts of a piece that words are counted in. */
export const FIELDS = [
  'body',
  'title',
  'tags',
  'useWhen',
  'capabilities',
  'description',
  'headings',
] as const;

export type Field = (typeof FIELDS)[number];

export const FIELD_COUNT = FIELDS.length;
