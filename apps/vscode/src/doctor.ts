import { execFile } from 'node:child_process';
import { childEnvironment, type Launch } from './launch.ts';

const DOCTOR_MS = 60_000;

/** What `baton doctor` finds where this window's servers run. */
export function runDoctor(launch: Launch): Promise<string> {
  const { command, args, cwd } = launch;
  const options = { cwd, env: childEnvironment(launch), timeout: DOCTOR_MS, windowsHide: true };
  return new Promise((resolve) => {
    // A code other than 0 means that it has found something: what, it says itself.
    execFile(command, [...args, 'doctor'], options, (error, stdout, stderr) => {
      resolve(`${stdout}${stderr}`.trim() || String(error));
    });
  });
}
