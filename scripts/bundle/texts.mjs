import { transform } from 'esbuild';

/*
 * V8 reads all code of a file before it runs any, 4 ms for each 100 KB, but passes over the inside
 * of a string. So only the pieces that a start needs stay code. The others, which are reached
 * through `import()`, become texts in the same file and are compiled when they are first needed.
 */

/** The modules of the program in one file: its pieces, without the lazy ones, and their loader. */
export async function modulesWithTexts({ main, pieces }) {
  const eager = reachable(main, pieces);
  const lazy = [...pieces.keys()].filter((name) => !eager.has(name));
  const shared = new Set();
  const texts = {};
  for (const name of lazy) {
    const { imports, outside } = pieces.get(name);
    const stranger = outside.find((one) => !one.startsWith('node:'));
    if (stranger) throw new Error(`${stranger} cannot be loaded by ${name}`);
    for (const one of imports) if (eager.has(one)) shared.add(one);
    texts[name] = await asText(name, pieces.get(name).text);
  }
  const modules = { './texts.js': loader([...shared], texts) };
  for (const name of eager) modules[name] = withLoader(pieces.get(name));
  return modules;
}

function reachable(name, pieces, seen = new Set()) {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const one of pieces.get(name).imports) reachable(one, pieces, seen);
  return seen;
}

async function asText(name, code) {
  const { code: text } = await transform(code, {
    format: 'cjs',
    target: 'node20',
    minify: true,
    // What is compiled from a text has neither.
    define: { 'import.meta.url': 'programUrl' },
    supported: { 'dynamic-import': false },
  });
  return `"use strict";${text}//# sourceURL=baton/${name.slice(2)}`; // What stack traces call it.
}

function withLoader({ text, loads }) {
  let code = text;
  for (const name of new Set(loads)) {
    const parts = code.split(`import("${name}")`);
    if (parts.length === 1) throw new Error(`import("${name}") is written in another way`);
    code = parts.join(`loadText("${name}")`);
  }
  return `import { loadText } from './texts.js';\n${code}`;
}

function loader(shared, texts) {
  return `
    ${shared.map((name, index) => `import * as shared${index} from '${name}';`).join('\n')}
    const modules = { ${shared.map((name, index) => `'${name}': shared${index}`).join(', ')} };
    const texts = ${JSON.stringify(texts)};
    function load(name) {
      modules[name] ??= texts[name] ? compile(texts[name]) : process.getBuiltinModule(name);
      if (!modules[name]) throw new Error('This Node.js has no ' + name);
      return modules[name];
    }
    function compile(text) {
      const module = { exports: {} };
      new Function('require', 'module', 'programUrl', text)(load, module, import.meta.url);
      return module.exports;
    }
    export const loadText = async (name) => load(name);`;
}
