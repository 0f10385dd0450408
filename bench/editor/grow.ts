import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FOLDERS = 20;
/** Each file imports those so far before it, so that every one is imported a few times. */
const DISTANCES = [1, 7, 40];
const STEPS = 30;

export function fileOf(index: number): string {
  return `src/m${index % FOLDERS}/f${index}.ts`;
}

/** A project of so many files that import each other; 70 lines each. */
export function growProject(folder: string, files: number): void {
  for (let index = 0; index < FOLDERS; index++)
    mkdirSync(path.join(folder, 'src', `m${index}`), { recursive: true });
  const compilerOptions = {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
    types: [],
  };
  const config = { compilerOptions, include: ['src'] };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  for (let index = 0; index < files; index++)
    writeFileSync(path.join(folder, fileOf(index)), sourceOf(index));
}

function sourceOf(index: number): string {
  const imported = DISTANCES.map((distance) => index - distance).filter((other) => other >= 0);
  const steps = Array.from({ length: STEPS }, (_, step) => {
    const other = imported[step % imported.length];
    const call = other === undefined ? String(step) : `value${other}(input - ${step})`;
    return `  const step${step} = input * ${step} + ${call};`;
  });
  return [
    ...imported.map(
      (other) =>
        `import { type Shape${other}, value${other} } from '../m${other % FOLDERS}/f${other}';`,
    ),
    '',
    `/** What number ${index} stands for. */`,
    `export interface Shape${index} {`,
    '  readonly id: string;',
    `  readonly size${index}: number;`,
    ...imported.map((other) => `  readonly from${other}?: Shape${other};`),
    '}',
    '',
    `export function value${index}(input: number): number {`,
    ...steps,
    `  return ${steps.map((_, step) => `step${step}`).join(' + ')};`,
    '}',
    '',
  ].join('\n');
}
