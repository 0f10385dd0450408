import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { leaveOut } from './leave-out.mjs';
import { packagesIn } from './licences.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Left for later: shared pieces run before what imports them, and this must run before all. */
const keepFirst = {
  name: 'keep-first',
  setup({ onResolve }) {
    onResolve({ filter: /[\\/]protect-stdout\.ts$/ }, ({ path: file, resolveDir }) => ({
      path: path.resolve(resolveDir, file),
      external: true,
    }));
  },
};

/** Large, and needed by few processes: none of it may be read at every start. */
const LATER = /node_modules\/(kysely|yaml)\//;

function assertLater({ outputs }) {
  const atStart = new Set(['program.js']);
  for (const name of atStart) {
    for (const file of Object.keys(outputs[name].inputs)) {
      if (!LATER.test(file)) continue;
      throw new Error(`${file} would be read at every start: import() it where it is needed`);
    }
    for (const { path: next, kind, external } of outputs[name].imports) {
      if (kind === 'import-statement' && !external) atStart.add(next);
    }
  }
}

/**
 * Splits a program into pieces as for several files: each module is in exactly one of them.
 * `main` starts it, after the modules that come `first`. Of each piece: its code, the pieces that
 * it imports, those that it loads later, and what it needs from outside. With the packages whose
 * code is in them.
 */
export async function split(entry) {
  const { outputFiles, metafile } = await build({
    entryPoints: { program: path.resolve(entry) },
    absWorkingDir: root, // Names of files begin there.
    outdir: '.',
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    platform: 'node',
    // Modules instead of what loads itself by `require`, where a package has both.
    mainFields: ['module', 'main'],
    format: 'esm',
    target: 'node20',
    minify: true,
    legalComments: 'none',
    plugins: [keepFirst, leaveOut],
    logLevel: 'warning',
  });
  // Benchmarks bundle programs of their own, which use it at once.
  if (/[\\/]apps[\\/]cli[\\/]/.test(path.resolve(entry))) assertLater(metafile);
  const pieces = new Map();
  for (const { path: file, text } of outputFiles) {
    const name = path.basename(file);
    const { imports } = metafile.outputs[name];
    const inside = (kind) =>
      imports.filter((one) => !one.external && one.kind === kind).map((one) => one.path);
    pieces.set(`./${name}`, {
      text,
      imports: inside('import-statement').map((one) => `./${one}`),
      loads: inside('dynamic-import').map((one) => `./${one}`),
      outside: imports.filter((one) => one.external).map((one) => one.path),
    });
  }
  const main = './program.js';
  const first = pieces.get(main).outside.filter((one) => path.isAbsolute(one));
  return { main, first: new Set(first), pieces, packages: packagesIn(metafile) };
}
