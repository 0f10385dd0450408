import path from 'node:path';
import type { SourceFile, TypeScript } from './judge-types.ts';

/** A path in a module that is imported, without its quotes. */
export interface Specifier {
  readonly file: string;
  readonly start: number;
  readonly length: number;
  readonly target: string;
}

/**
 * Relative imports of modules that others add to with `declare module`: TypeScript takes them for
 * modules that are only declared, and leaves them alone when files move.
 */
export function importsOfAddedTo(
  typescript: TypeScript,
  options: object,
  folder: string,
  sources: readonly SourceFile[],
): readonly Specifier[] {
  const specifiers = (
    source: SourceFile,
    kind: 'imports' | 'moduleAugmentations',
    isWorth: (specifier: string) => boolean,
  ) =>
    (source[kind] ?? []).flatMap((node): Specifier[] => {
      const { text = '' } = node;
      if (!text.startsWith('.') || !isWorth(text)) return [];
      const { sys } = typescript;
      const { resolvedModule } = typescript.resolveModuleName(text, source.fileName, options, sys);
      if (!resolvedModule) return [];
      const target = path.relative(folder, resolvedModule.resolvedFileName);
      const file = path.relative(folder, source.fileName);
      return [{ file, start: node.getStart() + 1, length: text.length, target }];
    });
  const adding = sources.flatMap((source) => specifiers(source, 'moduleAugmentations', () => true));
  const addedTo = new Set(adding.map(({ target }) => target));
  if (addedTo.size === 0) return [];
  // To resolve all of them would take longer than everything else.
  const names = new Set([...addedTo].map((file) => path.parse(file).name));
  const isWorth = (specifier: string) => names.has(path.parse(specifier).name);
  const imports = sources.flatMap((source) => specifiers(source, 'imports', isWorth));
  return [...adding, ...imports.filter(({ target }) => addedTo.has(target))];
}
