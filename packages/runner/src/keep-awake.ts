import { type ChildProcess, spawn } from 'node:child_process';
import { describeError, type Log } from '@baton/core';

/** A machine falls asleep after minutes: what is over sooner needs none of this. */
const AFTER_MS = 30_000;

/** Keeps the machine awake until its input ends, also by the death of whoever holds the other end. */
export type AwakeCommand = readonly [program: string, ...args: string[]];

/** Only against falling asleep on its own: a person may still close the lid. */
export function awakeCommand(platform: NodeJS.Platform): AwakeCommand | undefined {
  switch (platform) {
    case 'linux': {
      const why = ['--who=Baton', '--why=Jobs of a plan are running'];
      return ['systemd-inhibit', '--what=idle', '--mode=block', ...why, 'cat'];
    }
    case 'darwin':
      return ['caffeinate', '-i', 'cat'];
    case 'win32':
      return ['powershell.exe', '-NoProfile', '-NonInteractive', '-Command', STAY_AWAKE];
    default:
      return undefined;
  }
}

// ES_CONTINUOUS | ES_SYSTEM_REQUIRED, for as long as this thread lives.
const STAY_AWAKE = [
  `$kernel = Add-Type -PassThru -Namespace Baton -Name Kernel -MemberDefinition '[DllImport("kernel32.dll")] public static extern uint SetThreadExecutionState(uint flags);'`,
  `$null = $kernel::SetThreadExecutionState([uint32]'0x80000001')`,
  '$null = [Console]::In.ReadToEnd()',
].join('; ');

/** Keeps the machine awake while there are jobs to run, where there is a program that can. */
export class KeepAwake {
  readonly #log: Log;
  readonly #afterMs: number;
  #command: AwakeCommand | undefined;
  #timer: NodeJS.Timeout | undefined;
  #holder: ChildProcess | undefined;

  constructor(log: Log, command = awakeCommand(process.platform), afterMs = AFTER_MS) {
    this.#log = log;
    this.#command = command;
    this.#afterMs = afterMs;
  }

  /** There is something to run. */
  begin(): void {
    if (this.#holder || this.#timer || !this.#command) return;
    this.#timer = setTimeout(() => this.#hold(), this.#afterMs).unref();
  }

  /** Nothing is left to run. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#holder?.stdin?.end();
    this.#holder = undefined;
  }

  #hold(): void {
    this.#timer = undefined;
    const [program = '', ...args] = this.#command ?? [];
    try {
      const holder = spawn(program, args, {
        stdio: ['pipe', 'ignore', 'ignore'],
        windowsHide: true,
      });
      this.#holder = holder;
      holder.unref();
      holder.stdin.on('error', () => {});
      holder.once('error', ({ message }) => this.#giveUp(holder, message));
      holder.once('exit', (code, signal) =>
        this.#giveUp(holder, `${program} ended with ${signal ?? code}`),
      );
    } catch (error) {
      this.#giveUp(undefined, describeError(error));
    }
  }

  /** It would not go better the next time. */
  #giveUp(holder: ChildProcess | undefined, why: string): void {
    if (this.#holder !== holder) return;
    this.#log.write('info', `the machine is not kept awake: ${why}`);
    this.#holder = undefined;
    this.#command = undefined;
  }
}
