// Stands in for @vscode/spdlog, which would have to be compiled. Without it VS Code has no log
// files, and so no output channels.
const { appendFileSync, mkdirSync } = require('node:fs');
const path = require('node:path');

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];

function createLogger(_name, file) {
  mkdirSync(path.dirname(file), { recursive: true });
  let isPlain = false;
  let level = 0;
  const write = (rank) => (message) => {
    if (rank < level) return;
    const prefix = isPlain ? '' : `${new Date().toISOString()} [${levels[rank]}] `;
    appendFileSync(file, `${prefix}${message}${isPlain ? '' : '\n'}`);
  };
  return Promise.resolve({
    ...Object.fromEntries(levels.map((name, rank) => [name, write(rank)])),
    getLevel: () => level,
    setLevel: (next) => {
      level = next;
    },
    setPattern: () => {},
    clearFormatters: () => {
      isPlain = true;
    },
    flush: () => {},
    drop: () => {},
  });
}

// Named one by one: VS Code imports this file as an ES module.
exports.version = 1;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
