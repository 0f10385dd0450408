import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
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

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Modules that few processes need, and what we use of them, as texts that are compiled on first
 * use. V8 reads all code of a file before it runs any, 4 ms for each 100 KB, but passes over the
 * inside of a string.
 */
const asTexts = {
  // What yaml offers to Node is CommonJS that requires built-ins; the other build is plain ESM.
  yaml: {
    module: './node_modules/yaml/browser/index.js',
    names: ['isAlias', 'isMap', 'isScalar', 'isSeq', 'parse', 'parseDocument', 'visit'],
  },
  kysely: {
    module: 'kysely',
    names: ['DefaultQueryExecutor', 'sql', 'SqliteAdapter', 'SqliteQueryCompiler', 'Transaction'],
  },
};

async function asText({ module, names }) {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { ${names.join(', ')} } from ${JSON.stringify(module)}`,
      resolveDir: root,
    },
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

/*
 * The SQLite for a Node.js whose own is missing or too old: a binary for each platform beside the
 * program, so that nothing has to be installed or compiled. Its JavaScript is not needed.
 */
const prebuilds = path.join(root, 'node_modules/@photostructure/sqlite/prebuilds');
const binaryName = (platform, libc) => `${platform}.${libc}.node`;
const prebuiltSqlite = `
  import { existsSync } from 'node:fs';
  import { fileURLToPath } from 'node:url';
  const libc = existsSync('/etc/alpine-release') ? 'musl' : 'glibc';
  const file = './sqlite/' + process.platform + '-' + process.arch + '.' + libc + '.node';
  const module = { exports: {} };
  process.dlopen(module, fileURLToPath(new URL(file, import.meta.url)));
  export const { DatabaseSync } = module.exports;`;

function copyBinaries(folder) {
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(prebuilds, '../LICENSE'), path.join(folder, 'LICENSE'));
  for (const platform of readdirSync(prebuilds)) {
    for (const file of readdirSync(path.join(prebuilds, platform))) {
      const libc = file.includes('.musl.') ? 'musl' : 'glibc';
      const target = path.join(folder, binaryName(platform, libc));
      const source = path.join(prebuilds, platform, file);
      // A process may be using it: only if it is another one, and in one step.
      const { size } = statSync(source);
      if (statSync(target, { throwIfNoEntry: false })?.size === size) continue;
      cpSync(source, `${target}.${process.pid}`);
      renameSync(`${target}.${process.pid}`, target);
    }
  }
}

const leaveOut = {
  name: 'leave-out',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => ({
      path: 'mcp-shims',
      namespace: 'leave-out',
    }));
    onLoad({ filter: /.*/, namespace: 'leave-out' }, () => ({ contents: noAjv }));
    onResolve({ filter: /^(yaml|kysely)$/ }, ({ path: name }) => ({
      path: name,
      namespace: 'as-text',
    }));
    onLoad({ filter: /.*/, namespace: 'as-text' }, async ({ path: name }) => ({
      contents: await asText(asTexts[name]),
    }));
    onResolve({ filter: /^@photostructure\/sqlite$/ }, () => ({
      path: 'sqlite',
      namespace: 'prebuilt',
    }));
    onLoad({ filter: /.*/, namespace: 'prebuilt' }, () => ({ contents: prebuiltSqlite }));
    onLoad(
      { filter: /@modelcontextprotocol[\\/]core[\\/]dist[\\/].*\.mjs$/ },
      ({ path: file }) => ({
        contents: readFileSync(file, 'utf8').replace(schema, pureSchema),
      }),
    );
    onLoad(
      { filter: /@modelcontextprotocol[\\/]server[\\/]dist[\\/]src-.*\.mjs$/ },
      ({ path: file }) => ({
        contents: readFileSync(file, 'utf8')
          .replace(tableOfSchemas, '')
          .replace('const inputRequired = Object', 'const inputRequired = /* @__PURE__ */ Object'),
      }),
    );
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: onlyEnglish }));
  },
};

/**
 * Bundles a program into one file without chunks, with SQLite beside it: an upgrade under a
 * running process must not take away code that it has not loaded yet. Returns the size in bytes.
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
  copyBinaries(path.join(path.dirname(outfile), 'sqlite'));
  // In one step: somebody may be starting the program right now.
  renameSync(unfinished, outfile);
  return statSync(outfile).size;
}
