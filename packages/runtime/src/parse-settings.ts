import { BatonError } from '@baton/core';
import { type Settings, settingsSchema } from './settings.ts';

/** Checks settings of one source; `nameOf` says how that source calls a setting. */
export function parseSettings(values: unknown, nameOf: (name: string) => string): Settings {
  if (isEmpty(values)) return {};
  const schema = settingsSchema();
  const checked = schema.safeParse(values);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const known = Object.keys(schema.shape).join(', ');
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const where = nameOf(unknown ?? String(issue?.path[0] ?? ''));
  throw new BatonError(
    'config_invalid',
    unknown ? `Unknown setting ${where}.` : `Bad value for ${where}: ${issue?.message}.`,
    unknown ? `Known settings: ${known}.` : 'Correct the value or leave it out.',
  );
}

function isEmpty(values: unknown): boolean {
  return typeof values === 'object' && values !== null && Object.keys(values).length === 0;
}
