export { DENIED_FAMILIES } from '../src/settings/denied-families.ts';
export { DENIED_WORDS } from '../src/settings/denied-words.ts';
export { HARMLESS_KEYS, OBJECT_KEYS } from '../src/settings/harmless.ts';
export { userSettingsFile } from '../src/settings/places.ts';
export { refusalOf } from '../src/settings/rules.ts';
export { RUNS_FORMATTERS } from '../src/settings/runs-formatters.ts';
export { readSetting, writeSetting } from '../src/settings/settings-text.ts';
