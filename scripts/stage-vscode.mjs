import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { licencesOf, packagesIn } from './bundle/licences.mjs';
import { licencesFile } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = path.join(root, 'apps/vscode');

/** The targets of VS Code, and the SQLite that a Node.js without a good one needs there. */
export const targets = {
  'alpine-arm64': 'linux-arm64.musl',
  'alpine-x64': 'linux-x64.musl',
  'darwin-arm64': 'darwin-arm64.glibc',
  'darwin-x64': 'darwin-x64.glibc',
  'linux-arm64': 'linux-arm64.glibc',
  'linux-x64': 'linux-x64.glibc',
  'win32-arm64': 'win32-arm64.glibc',
  'win32-x64': 'win32-x64.glibc',
};

// What the SDK's client is needed for may never happen: it is a file of its own.
const clientOnItsOwn = {
  name: 'client-on-its-own',
  setup({ onResolve }) {
    onResolve({ filter: /^@baton\/mcp\/client$/ }, () => ({
      path: './mcp-client.cjs',
      external: true,
    }));
  },
};

/**
 * Returns the packages whose code is in it.
 * @param {string} outfile
 * @param {import('esbuild').BuildOptions} options
 */
async function bundle(outfile, options) {
  const { metafile } = await build({
    outfile,
    absWorkingDir: root,
    metafile: true,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minify: true,
    legalComments: 'none',
    external: ['vscode'],
    // jsonc-parser's CommonJS cannot be bundled.
    mainFields: ['module', 'main'],
    // The extension host loads what `require` asks for; `import()` takes other ways there.
    supported: { 'dynamic-import': false },
    logLevel: 'warning',
    ...options,
  });
  return packagesIn(metafile);
}

/** As the manifest of the extension calls it. TypeScript's server looks for it in node_modules. */
const PLUGIN = { name: 'baton-ts-plugin', version: '0.0.1' };

/** @param {string} folder */
async function stagePlugin(folder) {
  const place = path.join(folder, 'node_modules', PLUGIN.name);
  const packages = await bundle(path.join(place, 'index.js'), {
    entryPoints: [path.join(source, 'src/typescript-plugin/plugin.ts')],
    // A plugin is a function, not a module that has one.
    footer: { js: 'module.exports = module.exports.createPlugin;' },
  });
  const manifest = { ...PLUGIN, main: 'index.js', license: 'MIT' };
  writeFileSync(path.join(place, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return packages;
}

/**
 * Puts together the folder that becomes the .vsix: nothing but what it needs.
 * @param {string} folder
 * @param {{
 *   target: keyof typeof targets,
 *   program?: string,
 *   manifest?: string,
 *   plugins?: import('esbuild').Plugin[],
 * }} options `program`, `manifest` and `plugins` are for tests.
 */
export async function stageExtension(folder, options) {
  const { target, plugins = [] } = options;
  const program = options.program ?? path.join(root, 'apps/cli/dist/baton.mjs');
  const manifest = options.manifest ?? readFileSync(path.join(source, 'package.json'), 'utf8');
  const dist = path.join(folder, 'dist');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.join(dist, 'sqlite'), { recursive: true });
  const extension = await bundle(path.join(dist, 'extension.cjs'), {
    entryPoints: [path.join(source, 'src/extension.ts')],
    plugins: [...plugins, clientOnItsOwn],
  });
  const client = await bundle(path.join(dist, 'mcp-client.cjs'), {
    stdin: { contents: `export * from '@baton/mcp/client'`, resolveDir: source },
  });
  cpSync(program, path.join(dist, 'baton.mjs'));
  cpSync(licencesFile(program), path.join(dist, 'baton.LICENSES.txt'));
  const sqlite = path.join(path.dirname(program), 'sqlite');
  for (const file of ['LICENSE', `${targets[target]}.node`]) {
    cpSync(path.join(sqlite, file), path.join(dist, 'sqlite', file));
  }
  cpSync(path.join(path.dirname(program), 'knowledge'), path.join(dist, 'knowledge'), {
    recursive: true,
  });
  const plugin = await stagePlugin(folder);
  writeFileSync(
    path.join(dist, 'extension.LICENSES.txt'),
    licencesOf(new Set([...extension, ...client, ...plugin])),
  );
  const { devDependencies: _, private: __, ...published } = JSON.parse(manifest);
  // Only what is a dependency does vsce take from node_modules.
  published.dependencies = { [PLUGIN.name]: PLUGIN.version };
  published.files.push('node_modules');
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  cpSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  for (const part of ['README.md', 'media']) {
    cpSync(path.join(source, part), path.join(folder, part), { recursive: true });
  }
}
