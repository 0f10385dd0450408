// The language server by hand, for whoever wants no more: one request per line, `{symbol}` or
// `{move}`; the edits are written with plain writes, or, with `safe`, as editors write files.
import { spawn } from 'node:child_process';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [executable, how] = process.argv.slice(2);
const root = process.cwd();
const uriOf = (file) => pathToFileURL(path.join(root, file)).href;
let server;

function start() {
  const child = spawn(executable, ['--lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  let received = Buffer.alloc(0);
  let lastId = 0;
  const send = (message) => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    child.stdin.write(body);
  };
  const hear = ({ id, method, params, result, error }) => {
    if (method === undefined) {
      const { resolve, reject } = waiting.get(id);
      if (error) reject(new Error(error.message));
      else resolve(result);
    } else if (id !== undefined) {
      const answer = method === 'workspace/configuration' ? params.items.map(() => null) : null;
      send({ id, result: answer });
    }
  };
  child.stdout.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const head = received.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(received.toString('latin1', 0, head))[1]);
      if (received.length < head + 4 + length) return;
      const body = received.toString('utf8', head + 4, head + 4 + length);
      received = received.subarray(head + 4 + length);
      hear(JSON.parse(body));
    }
  });
  return {
    pid: child.pid,
    notify: (method, params) => send({ method, params }),
    request: (method, params) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        send({ id: lastId, method, params });
      }),
  };
}

async function ready() {
  if (server) return server;
  server = start();
  await server.request('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(root).href,
    workspaceFolders: [{ uri: pathToFileURL(root).href, name: 'project' }],
    capabilities: {
      workspace: {
        configuration: true,
        didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
        fileOperations: { willRename: true },
        workspaceEdit: { documentChanges: true },
      },
      textDocument: {
        documentSymbol: { hierarchicalDocumentSymbolSupport: true },
        rename: { prepareSupport: true },
      },
    },
    initializationOptions: { disablePushDiagnostics: true },
  });
  server.notify('initialized', {});
  return server;
}

/** What is open stays so: a server forgets projects without an open file. */
const open = new Map();

function opened(file, ask) {
  const uri = uriOf(file);
  if (!open.has(uri)) tell(uri, readFileSync(path.join(root, file), 'utf8'));
  return ask(uri);
}

function tell(uri, text) {
  const version = (open.get(uri) ?? 0) + 1;
  open.set(uri, version);
  if (version > 1) {
    const textDocument = { uri, version };
    server.notify('textDocument/didChange', { textDocument, contentChanges: [{ text }] });
  } else {
    const textDocument = { uri, languageId: 'typescript', version, text };
    server.notify('textDocument/didOpen', { textDocument });
  }
}

function renameSymbol({ file, name, newName }) {
  return opened(file, async (uri) => {
    const textDocument = { uri };
    const symbols = await server.request('textDocument/documentSymbol', { textDocument });
    const { start: position } = symbols.find((one) => one.name === name).selectionRange;
    const params = { textDocument, position, newName };
    const { changes } = await server.request('textDocument/rename', params);
    return Object.entries(changes);
  });
}

async function renameFile({ from, to }) {
  const files = [{ oldUri: uriOf(from), newUri: uriOf(to) }];
  const edit = await opened(from, () => server.request('workspace/willRenameFiles', { files }));
  return (edit?.documentChanges ?? []).map(({ textDocument, edits }) => [textDocument.uri, edits]);
}

function edited(text, edits) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const offset = ({ line, character }) => starts[line] + character;
  return edits
    .map(({ range, newText }) => [offset(range.start), offset(range.end), newText])
    .sort((a, b) => b[0] - a[0])
    .reduce(
      (done, [start, end, newText]) => done.slice(0, start) + newText + done.slice(end),
      text,
    );
}

function write(file, text) {
  if (how !== 'safe') return writeFileSync(file, text);
  const unfinished = `${file}.new`;
  const opened = openSync(unfinished, 'w');
  writeSync(opened, text);
  fsyncSync(opened);
  closeSync(opened);
  renameSync(unfinished, file);
}

async function answer({ symbol, move }) {
  await ready();
  const edits = symbol ? await renameSymbol(symbol) : await renameFile(move);
  for (const [uri, changes] of edits) {
    const file = fileURLToPath(uri);
    const text = edited(readFileSync(file, 'utf8'), changes);
    write(file, text);
    if (open.has(uri)) tell(uri, text);
  }
  const changes = edits.map(([uri]) => ({ uri, type: 2 }));
  if (move) {
    mkdirSync(path.dirname(path.join(root, move.to)), { recursive: true });
    renameSync(path.join(root, move.from), path.join(root, move.to));
    const uri = uriOf(move.from);
    if (open.delete(uri)) server.notify('textDocument/didClose', { textDocument: { uri } });
    changes.push({ uri, type: 3 }, { uri: uriOf(move.to), type: 1 });
  }
  server.notify('workspace/didChangeWatchedFiles', { changes });
  return { files: edits.length, server: server.pid };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`);
}
