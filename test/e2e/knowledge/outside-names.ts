import type { Reply } from '@baton/testkit';

/** What is asked for by a name. */
export type Ask = readonly [method: string, params: object];

/** Ways to write a path, of which none may lead anywhere. `file` is an absolute path outside. */
export function namesOf(file: string, fromKnowledge: string): string[] {
  const [dots, absolute] = [fromKnowledge, file];
  const encoded = dots.replaceAll('../', '%2e%2e%2f');
  const windows = dots.replaceAll('/', '\\');
  return [
    dots,
    dots.replace(/\.md$/, ''),
    `x/../${dots}`,
    `./${dots}`,
    `guides/${dots}`,
    `/${dots}`,
    `//${dots}`,
    dots.replaceAll('../', '..//'),
    dots.replaceAll('../', '....//'),
    dots.replaceAll('../', '..;/'),
    encoded,
    encoded.toUpperCase(),
    encoded.replaceAll('%', '%25'),
    encoded.replaceAll('%2f', '/'),
    dots.replaceAll('../', '..%c0%af'),
    dots.replaceAll('../', '..%5c'),
    dots.replaceAll('../', '\u2025/'),
    dots.replaceAll('../', '\uff0e\uff0e\uff0f'),
    `${dots}%00`,
    `${dots}\u0000.md`,
    `${dots}%00.md`,
    windows,
    `..\\${windows}`,
    absolute,
    absolute.replace(/\.md$/, ''),
    absolute.replaceAll('/', '%2f'),
    absolute.replaceAll('/', '\\'),
    `/.${absolute}`,
    `file://${absolute}`,
    `file:${absolute}`,
    `file://localhost${absolute}`,
    `\\\\localhost\\share${absolute.replaceAll('/', '\\')}`,
    `//localhost${absolute}`,
    `C:${absolute.replaceAll('/', '\\')}`,
    `C:/${absolute}`,
    `\\\\?\\C:${absolute.replaceAll('/', '\\')}`,
    `~${absolute}`,
    `$HOME${absolute}`,
    `/proc/self/root${absolute}`,
    `/proc/self/cwd/../${dots}`,
    `${absolute}#x`,
    `${absolute}?query=x`,
  ];
}

/** What is there on every machine and would answer, wait for ever, or tell about the process. */
export const PLACES = [
  '..',
  '../..',
  '.',
  '/',
  '%2e%2e',
  '/etc/passwd',
  '../../../../../../../../etc/passwd',
  '/proc/self/environ',
  '/proc/self/maps',
  '/dev/zero',
  '/dev/stdin',
  '/dev/random',
  'CON',
  'NUL.md',
  'COM1',
  'pipe',
  'pipe.md',
  '__proto__',
  'constructor',
  'toString',
  '*',
  '**/*.md',
  '\u0000',
  '%',
  '%zz',
  'a\nb',
  '-rf',
  '--help',
];

/** What is answered to each of these names in each of these places. */
export async function answersTo(
  names: readonly string[],
  parameters: Readonly<Record<string, (name: string) => Ask>>,
  ask: (params: Ask) => Promise<Reply>,
): Promise<Record<string, unknown>> {
  const asked = Object.entries(parameters).flatMap(([what, params]) =>
    names.map(async (name) => {
      const { result, error } = await ask(params(name));
      return [`${what}: ${name}`, result ?? error] as const;
    }),
  );
  return Object.fromEntries(await Promise.all(asked));
}
