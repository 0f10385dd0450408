import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Licences that ask for nothing but that their text goes along with the code. */
const ALLOWED = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']);
const TEXTS = /^(licen[cs]e|notice|copying)(\.(md|txt))?$/i;

/** Folders of the packages whose code is in a bundle, below the root of the repository. */
export function packagesIn({ outputs }) {
  const used = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? file : [])),
  );
  return new Set(
    used.flatMap(
      (file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? [],
    ),
  );
}

/** The licence of each package with its text. A package that must not be shipped ends the build. */
export function licencesOf(folders) {
  const sections = [...folders].sort().map((folder) => {
    const place = path.resolve(root, folder);
    const { name, version, license } = JSON.parse(
      readFileSync(path.join(place, 'package.json'), 'utf8'),
    );
    if (!ALLOWED.has(license)) throw new Error(`${name} has the licence ${license}`);
    const files = readdirSync(place).filter((file) => TEXTS.test(file));
    if (files.length === 0) throw new Error(`${name} brings no text of its licence`);
    const texts = files.sort().map((file) => readFileSync(path.join(place, file), 'utf8').trim());
    return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
  });
  const line = `\n${'-'.repeat(80)}\n\n`;
  return `Code of these packages is part of this program:\n${line}${sections.join(line)}`;
}
