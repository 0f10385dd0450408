/*
 * Porter2, the English stemmer of the Snowball project: words of one family become one stem
 * (`connecting`, `connections` → `connect`).
 */

const VOWEL = '[aeiouy]';
const SHORT_SYLLABLE = /(?:^[aeiouy][^aeiouy]|[^aeiouy][aeiouy][^aeiouywxY])$/;
const DOUBLE = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;

/** Words that the rules would spoil, or tear away from their family. */
const EXCEPTIONS = new Map<string, string>([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ...['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes'].map((w) => [w, w] as const),
  // Beyond Porter2: names of software that look like plurals or participles.
  ...['redis', 'kubernetes', 'postgres', 'jenkins', 'pandas', 'nginx', 'rails', 'https', 'dns']
    .concat(['aws', 'css', 'sass', 'less', 'ios', 'macos', 'tls', 'cors', 'ssl', 'sms', 'gps'])
    .concat(['saas', 'paas', 'iaas', 'nodejs', 'canvas', 'alias', 'axios', 'express', 'nats'])
    .map((w) => [w, w] as const),
]);
const AFTER_STEP_1A = new Set(
  ['inning', 'outing', 'canning', 'herring', 'earring', 'proceed', 'exceed', 'succeed'].concat([
    'string',
    'spring',
  ]),
);

const STEP_2: readonly (readonly [string, string])[] = [
  ['ization', 'ize'],
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['entli', 'ent'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ousli', 'ous'],
  ['iviti', 'ive'],
  ['fulli', 'ful'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['bli', 'ble'],
];
const STEP_3: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];
const STEP_4 = ['ement', 'ance', 'ence', 'able', 'ible', 'ment', 'ant', 'ent', 'ism', 'ate']
  .concat(['iti', 'ous', 'ive', 'ize', 'al', 'er', 'ic'])
  .sort((a, b) => b.length - a.length);

/** The stem of a lower-case word. What is no English word, such as `c++` or `k8s`, stays as it is. */
export function stem(word: string): string {
  return EXCEPTIONS.get(word) ?? (/^[a-z']{3,}$/.test(word) ? porter2(word) : word);
}

function porter2(word: string): string {
  let w = word.replace(/'/g, '').replace(/^y|([aeiouy])y/g, (_, v) => (v ? `${v}Y` : 'Y'));
  if (w.length < 3) return w.toLowerCase();
  const [r1, r2] = regions(w);
  w = step1a(w);
  if (AFTER_STEP_1A.has(w)) return w.toLowerCase();
  w = step1b(w, r1);
  w = w.replace(/(.[^aeiouy])[yY]$/, '$1i');
  w = step2(w, r1);
  w = step3(w, r1, r2);
  w = step4(w, r2);
  return step5(w, r1, r2).toLowerCase();
}

/** Where the regions begin in which suffixes may be cut off. */
function regions(w: string): readonly [number, number] {
  const prefix = /^(?:gener|commun|arsen)/.exec(w);
  const r1 = prefix ? prefix[0].length : afterVowelConsonant(w, 0);
  return [r1, afterVowelConsonant(w, r1)];
}

function afterVowelConsonant(w: string, from: number): number {
  const found = /[aeiouy][^aeiouy]/.exec(w.slice(from));
  return found ? from + found.index + 2 : w.length;
}

function step1a(w: string): string {
  if (w.endsWith('sses')) return w.slice(0, -2);
  if (/ie[ds]$/.test(w)) return w.slice(0, w.length > 4 ? -2 : -1);
  if (/[us]s$/.test(w)) return w;
  // A vowel must come before the s, and not right before it.
  return new RegExp(`${VOWEL}.+s$`).test(w) ? w.slice(0, -1) : w;
}

function step1b(w: string, r1: number): string {
  const ee = /eed(?:ly)?$/.exec(w);
  if (ee) return ee.index >= r1 ? `${w.slice(0, ee.index)}ee` : w;
  const cut = /(?:ed|ing)(?:ly)?$/.exec(w);
  if (!cut || !/[aeiouy]/.test(w.slice(0, cut.index))) return w;
  const rest = w.slice(0, cut.index);
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (DOUBLE.test(rest)) return rest.slice(0, -1);
  return isShort(rest, r1) ? `${rest}e` : rest;
}

function isShort(w: string, r1: number): boolean {
  return r1 >= w.length && SHORT_SYLLABLE.test(w);
}

function step2(w: string, r1: number): string {
  const rule = STEP_2.find(([suffix]) => w.endsWith(suffix));
  if (rule) return inRegion(w, rule, r1);
  if (w.endsWith('ogi') && w.length - 3 >= r1 && w.at(-4) === 'l') return w.slice(0, -1);
  if (/[cdeghkmnrt]li$/.test(w) && w.length - 2 >= r1) return w.slice(0, -2);
  return w;
}

function step3(w: string, r1: number, r2: number): string {
  const rule = STEP_3.find(([suffix]) => w.endsWith(suffix));
  if (rule) return inRegion(w, rule, r1);
  return w.endsWith('ative') && w.length - 5 >= r2 ? w.slice(0, -5) : w;
}

function inRegion(w: string, [suffix, instead]: readonly [string, string], from: number): string {
  const at = w.length - suffix.length;
  return at >= from ? w.slice(0, at) + instead : w;
}

function step4(w: string, r2: number): string {
  const suffix = STEP_4.find((one) => w.endsWith(one));
  if (suffix) return inRegion(w, [suffix, ''], r2);
  return /[st]ion$/.test(w) && w.length - 3 >= r2 ? w.slice(0, -3) : w;
}

function step5(w: string, r1: number, r2: number): string {
  const at = w.length - 1;
  if (w.endsWith('e')) {
    if (at >= r2) return w.slice(0, -1);
    return at >= r1 && !SHORT_SYLLABLE.test(w.slice(0, -1)) ? w.slice(0, -1) : w;
  }
  return w.endsWith('ll') && at >= r2 ? w.slice(0, -1) : w;
}
