import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fixtureProgram } from '@baton/e2e/programs';
import { builtInTools } from '@baton/runtime';
import { fixtureFeature } from '@baton/testkit';
import type { Plugin } from 'esbuild';
import { packageExtension } from '../../scripts/package-vscode.mjs';
import { stageExtension } from '../../scripts/stage-vscode.mjs';
import { declareTools } from '../../scripts/vscode-manifest.ts';
import buildPrograms from '../e2e/build-programs.ts';
import { installHost, versions } from './install.ts';
import { inFork, packaged, UNREGISTRABLE, withFixtures } from './under-test.ts';

const manifest = path.resolve(import.meta.dirname, '../../apps/vscode/package.json');
const target = 'linux-x64';

/** Everything that the tests share, once: the hosts, and the extension in its three forms. */
export default async function prepare(): Promise<void> {
  await buildPrograms();
  for (const version of versions) installHost(version);
  mkdirSync(path.dirname(packaged), { recursive: true });
  const staged = packaged.replace('.vsix', '');
  await stageExtension(staged, { target });
  packageExtension(staged, target, packaged);
  const tools = [...builtInTools, ...fixtureFeature.tools];
  await stageExtension(withFixtures, {
    target,
    program: fixtureProgram,
    manifest: declareTools(readFileSync(manifest, 'utf8'), tools),
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
  const without = '{ registerMcpServerDefinitionProvider: undefined, registerTool: undefined }';
  await stageExtension(inFork, { target, plugins: [vscodeWith(without)] });
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
