import { ChildEngine } from '../engine-under-test.ts';

/** Runs an engine until it is told to end. */
const [folder = '', file = '', ...args] = process.argv.slice(2);
const settings = { folder, memoryMegabytes: 1, processMegabytes: 1e6, threads: 1, packagesOf: [] };
void new ChildEngine({ file, args }, settings).run('SELECT 1');
process.on('message', () => process.exit(0));
