// What a plan is measured against: the same processes, so many at once, started by hand.
import { spawn } from 'node:child_process';

const { commands, parallel } = JSON.parse(process.argv[2]);
const waiting = [...commands];
const started = performance.now();

async function work() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [file, ...args] = next;
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    await new Promise((resolve) => child.once('close', resolve));
  }
}

await Promise.all(Array.from({ length: parallel }, work));
process.stdout.write(`${performance.now() - started}\n`);
