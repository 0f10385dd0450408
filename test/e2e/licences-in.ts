import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';

const modules = path.resolve(import.meta.dirname, '../../node_modules');

/** The packages of a file of licences, after a look at whether their texts are all there. */
export function licencesIn(text: string): string[] {
  const [, ...sections] = text.split(`\n${'-'.repeat(80)}\n\n`);
  return sections.map((section) => {
    const [, name = '', version, licence] = /^(\S+) (\S+) \((\S+)\)\n\n/.exec(section) ?? [];
    const folder = path.join(modules, name);
    const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ version, license: licence });
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one)) ?? '';
    expect(section).toContain(readFileSync(path.join(folder, file), 'utf8').trim());
    return `${name} ${licence}`;
  });
}
