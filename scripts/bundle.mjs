import { chmodSync, readFileSync, renameSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

// The SDK's default JSON Schema validator is Ajv, for elicitation answers that we check with Zod.
// Importing node:process would evaluate every getter of it, 7 ms of start-up for nothing.
const noAjv = `
  export const process = globalThis.process;
  export class DefaultJsonSchemaValidator {
    getValidator() { throw new Error('Baton validates with Zod'); }
  }`;
// Zod carries its messages in fifty languages; ours are English.
const onlyEnglish = `export { default as en } from './en.js';`;

/*
 * The SDK makes a thousand schemas when it is imported, 20 ms of every start, of which a server
 * uses a handful. Without its table of all of them, and said to be free of side effects (as is
 * its builder for questions), those that nobody uses are left out. If an upgrade writes them
 * differently, they are back in.
 */
const tableOfSchemas = /^for \(const .+\) register\(key, .+\);$/gm;
const schema =
  /^const (\w+) = ((?:z|[A-Z]\w*)\.[\s\S]*?);\n(?=\n*(?:\/\*\*|const |\/\/#|export ))/gm;
const pureSchema = 'const $1 = /* @__PURE__ */ (() => $2)();\n';

// What yaml offers to Node is CommonJS that requires built-ins; the other build is plain ESM.
const yamlModule = fileURLToPath(new URL('../node_modules/yaml/browser/index.js', import.meta.url));

/**
 * A module that few processes need, as a text that is compiled on first use. V8 reads all code of
 * a file before it runs any, 4 ms for each 100 KB, but passes over the inside of a string.
 */
async function asText(entry, names) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'cjs',
    target: 'node20',
    minify: true,
    write: false,
  });
  return `const module = { exports: {} };
    new Function('module', ${JSON.stringify(outputFiles[0].text)})(module);
    export const { ${names.join(', ')} } = module.exports;`;
}

const leaveOut = {
  name: 'leave-out',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => ({
      path: 'mcp-shims',
      namespace: 'leave-out',
    }));
    onLoad({ filter: /.*/, namespace: 'leave-out' }, () => ({ contents: noAjv }));
    onResolve({ filter: /^yaml$/ }, () => ({ path: yamlModule, namespace: 'as-text' }));
    onLoad({ filter: /.*/, namespace: 'as-text' }, async ({ path }) => ({
      contents: await asText(path, ['parse']),
    }));
    onLoad({ filter: /@modelcontextprotocol[\\/]core[\\/]dist[\\/].*\.mjs$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(schema, pureSchema),
    }));
    onLoad(
      { filter: /@modelcontextprotocol[\\/]server[\\/]dist[\\/]src-.*\.mjs$/ },
      ({ path }) => ({
        contents: readFileSync(path, 'utf8')
          .replace(tableOfSchemas, '')
          .replace('const inputRequired = Object', 'const inputRequired = /* @__PURE__ */ Object'),
      }),
    );
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: onlyEnglish }));
  },
};

/**
 * Bundles a program into one file without chunks: an upgrade under a running process must not
 * take away code that it has not loaded yet. Returns the size in bytes.
 */
export async function bundle(entry, outfile) {
  const unfinished = `${outfile}.${process.pid}`;
  await build({
    entryPoints: [entry],
    outfile: unfinished,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minify: true,
    legalComments: 'none',
    plugins: [leaveOut],
    banner: { js: '#!/usr/bin/env node' },
    logLevel: 'warning',
  });
  chmodSync(unfinished, 0o755);
  // In one step: somebody may be starting the program right now.
  renameSync(unfinished, outfile);
  return statSync(outfile).size;
}
