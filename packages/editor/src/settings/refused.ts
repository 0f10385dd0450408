import { BatonError } from '@baton/core';
import type { Refusal } from './rules.ts';
import { wordsOf } from './setting-key.ts';
import { isRecord } from './setting-value.ts';

/** People put secrets where names have these words, whatever else the setting is about. */
const SECRET_WORDS = new Set(
  'apikey auth authorization cert cookie cookies credential credentials env environment environments header headers key keys passphrase password passwords proxy secret secrets token tokens'.split(
    ' ',
  ),
);

/** Why an agent is not told a setting: by its key, or by a name in its value. */
export function secrecyOf(key: string, value?: unknown): Refusal | undefined {
  const named = [key, ...namesIn(value)].find((name) =>
    wordsOf(name).some((word) => SECRET_WORDS.has(word.toLowerCase())),
  );
  if (named === undefined) return undefined;
  return { rule: 'credentials', why: 'what has such a name may be secret', key: named };
}

function* namesIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const one of value) yield* namesIn(one);
  if (!isRecord(value)) return;
  for (const [name, one] of Object.entries(value)) {
    yield name;
    yield* namesIn(one);
  }
}

const BY_HAND = 'A person can do it by hand in the settings of VS Code.';
/** What the user's own configuration can allow. */
const LIFTABLE = ['not-known', 'runs-formatters'];

export function refused({ rule, why, key }: Refusal, how: 'read' | 'changed'): BatonError {
  return new BatonError(
    'setting_refused',
    `${JSON.stringify(key.slice(0, 200))} must not be ${how} by an agent: ${why} (rule ${rule}).`,
    LIFTABLE.includes(rule)
      ? `${BY_HAND} They can also allow it to agents, with allowedSettings in their own config.yaml.`
      : BY_HAND,
  );
}
