// First of all imports, so that nothing that loads later can print to stdout.
import './protect-stdout.ts';
import { runProcess } from './run-process.ts';

await runProcess();
