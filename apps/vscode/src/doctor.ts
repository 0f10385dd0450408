import { execFile } from 'node:child_process';
import { childEnvironment, type Launch } from './launch.ts';

export interface DoctorReport {
  readonly text: string;
  readonly isHealthy: boolean;
}

const DOCTOR_MS = 60_000;

/** What `baton doctor` finds where this window's servers run. */
export function runDoctor(launch: Launch): Promise<DoctorReport> {
  const { command, args, cwd } = launch;
  const options = { cwd, env: childEnvironment(launch), timeout: DOCTOR_MS, windowsHide: true };
  return new Promise((resolve) => {
    execFile(command, [...args, 'doctor'], options, (error, stdout, stderr) => {
      const text = `${stdout}${stderr}`.trim() || String(error);
      resolve({ text, isHealthy: error === null });
    });
  });
}
