import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fixtureProgram } from '@baton/e2e/programs';
import { builtInTools } from '@baton/runtime';
import { fixtureFeature } from '@baton/testkit';
import type { Plugin } from 'esbuild';
import { packageExtension } from '../../scripts/package-vscode.mjs';
import { stageExtension } from '../../scripts/stage-vscode.mjs';
import { declareTools } from '../../scripts/vscode-manifest.ts';
import { cache } from './install.ts';

const root = path.resolve(import.meta.dirname, '../..');
const manifest = readFileSync(path.join(root, 'apps/vscode/package.json'), 'utf8');
const folderOf = (name: string) => path.join(cache, 'extension', name);

/** The extension as users get it. */
export async function packagedExtension(): Promise<string> {
  const folder = folderOf('packaged');
  const file = `${folder}.vsix`;
  mkdirSync(path.dirname(folder), { recursive: true });
  await stageExtension(folder, { target: 'linux-x64' });
  packageExtension(folder, 'linux-x64', file);
  return file;
}

/**
 * The extension with the tests' own tools. It leaves its provider of server definitions where a
 * test can find it, and one of its tools cannot be registered.
 */
export async function extensionWithFixtures(): Promise<string> {
  const folder = folderOf('fixtures');
  const tools = [...builtInTools, ...fixtureFeature.tools];
  await stageExtension(folder, {
    target: 'linux-x64',
    program: fixtureProgram,
    manifest: declareTools(manifest, tools),
    plugins: [
      vscodeWith(`{
        registerMcpServerDefinitionProvider(id, provider) {
          globalThis.batonDefinitions = () => provider.provideMcpServerDefinitions();
          return lm.registerMcpServerDefinitionProvider(id, provider);
        },
        registerTool(name, tool) {
          if (name === '${UNREGISTRABLE}') throw new Error('This one is refused.');
          return lm.registerTool(name, tool);
        },
      }`),
    ],
  });
  return folder;
}

/** Its registration throws, as in an editor that does not like its name. */
export const UNREGISTRABLE = 'baton_answer';

/** The extension in an editor whose API has neither MCP servers nor tools. */
export async function extensionInFork(): Promise<string> {
  const folder = folderOf('fork');
  const without = '{ registerMcpServerDefinitionProvider: undefined, registerTool: undefined }';
  await stageExtension(folder, { target: 'linux-x64', plugins: [vscodeWith(without)] });
  return folder;
}

/** Has the extension see another `vscode.lm`, in front of the real one. */
function vscodeWith(changes: string): Plugin {
  const contents = `
    const vscode = require('vscode');
    const { lm } = vscode;
    const changed = new Proxy(lm, { get: (_, key) => (key in changes ? changes[key] : lm[key]) });
    const changes = ${changes};
    module.exports = new Proxy(vscode, { get: (_, key) => (key === 'lm' ? changed : vscode[key]) });`;
  return {
    name: 'vscode-with',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
        namespace === 'vscode-with'
          ? { path: 'vscode', external: true }
          : { path: 'vscode', namespace: 'vscode-with' },
      );
      onLoad({ filter: /.*/, namespace: 'vscode-with' }, () => ({ contents }));
    },
  };
}
