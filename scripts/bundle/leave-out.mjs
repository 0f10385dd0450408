import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

// The SDK's default JSON Schema validator is Ajv, for elicitation answers that we check with Zod.
// Importing node:process would evaluate every getter of it, 7 ms of start-up for nothing.
const noAjv = `
  export const process = globalThis.process;
  export class DefaultJsonSchemaValidator {
    getValidator() { throw new Error('Baton validates with Zod'); }
  }`;
// What yaml offers to Node is CommonJS that requires built-ins; the other build is plain ESM, of
// which only what we use is taken.
const yamlInUse = `
  export { Composer, Document, isAlias, isMap, isScalar, isSeq, Parser, visit, YAMLParseError }
    from './node_modules/yaml/browser/index.js';`;
// Of the SQLite library only the binary is needed, not its JavaScript.
const prebuiltSqlite = `
  import { existsSync } from 'node:fs';
  import { fileURLToPath } from 'node:url';
  const libc = existsSync('/etc/alpine-release') ? 'musl' : 'glibc';
  const file = './sqlite/' + process.platform + '-' + process.arch + '.' + libc + '.node';
  const module = { exports: {} };
  process.dlopen(module, fileURLToPath(new URL(file, import.meta.url)));
  export const { DatabaseSync } = module.exports;`;

const replacements = {
  '@modelcontextprotocol/server/_shims': noAjv,
  yaml: yamlInUse,
  '@photostructure/sqlite': prebuiltSqlite,
};

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

/** Leaves out of dependencies what we do not use. */
export const leaveOut = {
  name: 'leave-out',
  setup({ onResolve, onLoad }) {
    const replaced = /^(@modelcontextprotocol\/server\/_shims|yaml|@photostructure\/sqlite)$/;
    onResolve({ filter: replaced }, ({ path }) => ({ path, namespace: 'replaced' }));
    onLoad({ filter: /.*/, namespace: 'replaced' }, ({ path }) => ({
      contents: replacements[path],
      resolveDir: root,
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
