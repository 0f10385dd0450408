// Runs in the extension host: evaluates what the tests send, as Playwright's page.evaluate does.
const { readFileSync } = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const readline = require('node:readline');
const vscode = require('vscode');

async function evaluate({ id, source, arg }) {
  try {
    const run = new Function('vscode', 'arg', `return (${source})(vscode, arg)`);
    return JSON.stringify({ id, value: await run(vscode, arg) });
  } catch (error) {
    return JSON.stringify({
      id,
      error: { message: error?.message ?? `${error}`, stack: error?.stack },
    });
  }
}

exports.activate = (context) => {
  const control = path.join(context.extensionPath, 'control.json');
  const { port, secret } = JSON.parse(readFileSync(control, 'utf8'));
  const socket = net.connect(port, '127.0.0.1');
  const send = (line) => socket.write(`${line}\n`);
  socket.on('error', () => {}); // The tests are over.
  context.subscriptions.push({ dispose: () => socket.destroy() });
  send(
    JSON.stringify({
      secret,
      pid: process.pid,
      version: vscode.version,
      folders: (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
    }),
  );
  readline
    .createInterface(socket)
    .on('line', async (line) => send(await evaluate(JSON.parse(line))));
};
