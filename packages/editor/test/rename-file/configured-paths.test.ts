import { expect, test } from 'vitest';
import { applyEdits } from '../edits-under-test.ts';
import { configuredPaths, keepSpecifiers } from '../rename-file-under-test.ts';

/** The files after a move, as far as paths in them have changed. */
async function after(files: Readonly<Record<string, string>>, from: string, to: string) {
  const texts = { read: async (file: string) => Buffer.from(files[file] ?? '') };
  const edited = await configuredPaths(texts, Object.keys(files), { from, to });
  return Object.fromEntries(
    edited.map(({ file, contents, edits }) => [file, applyEdits(String(contents), edits)]),
  );
}

const manifest = `{
  "name": "@acme/cart", // with a comment, as some have
  "main": "src/index.ts",
  "types": "./src/index.ts",
  "exports": { ".": { "import": "./src/index.ts" }, "./*": "./src/*.ts", "./x": "./srcs/x.ts" },
  "imports": { "#lib/*": "./src/lib/*", "#other": "src" },
  "files": ["src", "src/", "!src/test"],
  "bin": { "cart": "./src/bin.ts" },
  "scripts": { "start": "node ./src/index.ts" }
}
`;

test('what a package names in its folder follows when the folder moves', async () => {
  expect(await after({ 'p/package.json': manifest }, 'p/src', 'p/lib/deep')).toEqual({
    'p/package.json': `{
  "name": "@acme/cart", // with a comment, as some have
  "main": "lib/deep/index.ts",
  "types": "./lib/deep/index.ts",
  "exports": { ".": { "import": "./lib/deep/index.ts" }, "./*": "./lib/deep/*.ts", "./x": "./srcs/x.ts" },
  "imports": { "#lib/*": "./lib/deep/lib/*", "#other": "src" },
  "files": ["lib/deep", "lib/deep/", "!src/test"],
  "bin": { "cart": "./lib/deep/bin.ts" },
  "scripts": { "start": "node ./src/index.ts" }
}
`,
  });
});

test('and when a single file moves, but not out of the package', async () => {
  const files = { 'package.json': '{"main":"./a.ts","types":"./b.ts"}' };
  expect(await after(files, 'a.ts', 'src/a.ts')).toEqual({
    'package.json': '{"main":"./src/a.ts","types":"./b.ts"}',
  });
  const inner = { 'p/package.json': '{"main":"./a.ts"}' };
  expect(await after(inner, 'p/a.ts', 'a.ts')).toEqual({});
  expect(await after({ 'q/package.json': '{"main":"./a.ts"}' }, 'p/a.ts', 'p/b.ts')).toEqual({});
});

test('a configuration that moves with its folder still points to what stays', async () => {
  const config =
    '{"extends":"../../tsconfig.base.json","include":["src","./test"],"references":[{"path":"../b"}]}';
  expect(await after({ 'packages/a/tsconfig.json': config }, 'packages/a', 'a')).toEqual({
    'packages/a/tsconfig.json':
      '{"extends":"../tsconfig.base.json","include":["src","./test"],"references":[{"path":"../packages/b"}]}',
  });
  expect(await after({ 'packages/a/tsconfig.json': config }, 'packages/a', 'packages/c')).toEqual(
    {},
  );
  expect(await after({ 'packages/a/data.json': config }, 'packages/a', 'a')).toEqual({});
});

test('what is no JSON, or nested too deep, is left alone', async () => {
  expect(await after({ 'package.json': '{"main": "./a.ts"' }, 'a.ts', 'b.ts')).toEqual({
    'package.json': '{"main": "./b.ts"',
  });
  expect(await after({ 'package.json': '['.repeat(200_000) }, 'a.ts', 'b.ts')).toEqual({});
});

test('imports by the name of a package stay where its package.json follows', () => {
  const importer = (specifier: string, newText: string) => {
    const text = `import '${specifier}';`;
    const range = {
      start: { line: 0, character: 8 },
      end: { line: 0, character: 8 + specifier.length },
    };
    return { file: 'p/src/b.ts', contents: Buffer.from(text), edits: [{ range, newText }] };
  };
  const followed = [
    { file: 'p/package.json', contents: Buffer.from('{"name":"cart"}'), edits: [] },
  ];
  const kept = (specifier: string, newText: string, manifests = followed) =>
    keepSpecifiers([importer(specifier, newText)], manifests)[0]?.edits.length === 0;
  expect(kept('cart', '../../p/lib')).toBe(true);
  expect(kept('cart/x', '../../p/lib/x')).toBe(true);
  expect(kept('#x', './lib/x')).toBe(true);
  expect(kept('cart/x', 'cart/y')).toBe(false);
  expect(kept('cartography', './lib')).toBe(false);
  expect(kept('./x', './lib/x')).toBe(false);
  expect(kept('cart', '../../p/lib', [])).toBe(false);
});
