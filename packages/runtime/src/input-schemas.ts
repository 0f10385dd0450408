import generated from './input-schemas.json' with { type: 'json' };

/** The input of the built-in tools as JSON Schema, made by `npm run gen`. */
export const inputSchemas: Readonly<Record<string, object>> = generated;
