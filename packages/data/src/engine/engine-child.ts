import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { EngineError } from './engine.ts';
import { watchMemory } from './memory-watch.ts';
import { type EngineSettings, type FromEngine, MEMORY_WORDS, type ToEngine } from './messages.ts';

/** A program of ours that runs `runEngineProcess` with the settings it gets as its last argument. */
export interface EngineProgram {
  readonly file: string;
  readonly args: readonly string[];
}

/** What a program needs of the environment in order to run at all. Secrets are none of it. */
const PASSED_ON = ['ELECTRON_RUN_AS_NODE', 'LD_LIBRARY_PATH', 'PATH', 'SystemRoot', 'TMPDIR'];
/** The last words of a process that ends by itself. */
const LAST_WORDS = 1000;

interface Heard {
  /** It can be told what to do. */
  ready(): void;
  answered(message: Extract<FromEngine, { readonly id: number }>): void;
  ended(why: EngineError): void;
}

/** They end with this process, whose `exit` is the last moment at which it can see to it. */
const living = new Set<EngineChild>();

function killLiving(): void {
  for (const child of living) child.kill();
}

/** One process that runs the engine, from its start to its end. */
export class EngineChild {
  readonly #child: ChildProcess;
  readonly #maxBytes: number;
  #endWatch: (() => void) | undefined;
  #lastWords = '';
  #missing: string | undefined;
  /** The views that it has. */
  views: string | undefined;

  constructor(program: EngineProgram, settings: EngineSettings, heard: Heard) {
    this.#child = fork(program.file, [...program.args, JSON.stringify(settings)], {
      cwd: settings.folder,
      env: passedOn(),
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#maxBytes = settings.processMegabytes * 1024 * 1024;
    if (living.size === 0) process.on('exit', killLiving);
    living.add(this);
    // It must not keep this process alive; whoever waits for an answer does.
    this.#child.unref();
    (this.#child.stderr as Socket | null)?.unref();
    this.#child.stderr?.on('data', (bytes: Buffer) => {
      this.#lastWords = `${this.#lastWords}${bytes}`.slice(-LAST_WORDS);
    });
    this.#child.on('message', (message: FromEngine) => {
      if (message.type === 'ready') heard.ready();
      else if (message.type === 'missing') this.#isMissing(message.message);
      else heard.answered(message);
    });
    let hasEnded = false;
    const end = (why: EngineError) => {
      this.#endWatch?.();
      living.delete(this);
      if (living.size === 0) process.off('exit', killLiving);
      if (!hasEnded) heard.ended(why);
      hasEnded = true;
    };
    this.#child.on('error', (cause) => end(new EngineError('crash', String(cause), { cause })));
    // Not `exit`, after which its last words may still arrive.
    this.#child.on('close', (code, signal) => end(this.#whyEnded(code, signal)));
  }

  send(message: ToEngine): void {
    // What cannot be sent was sent to a process that has ended, and its end is told.
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  /** Whether this process waits for it, and so stays alive and watches how much memory it takes. */
  set isAwaited(isAwaited: boolean) {
    if (isAwaited === (this.#endWatch !== undefined)) return;
    if (isAwaited) {
      this.#child.channel?.ref();
      // It watches itself too, unless it is too busy even for that.
      this.#endWatch = watchMemory(this.#child.pid ?? 0, this.#maxBytes, () => {
        this.#lastWords = MEMORY_WORDS;
        this.kill();
      });
    } else {
      this.#child.channel?.unref();
      this.#endWatch?.();
      this.#endWatch = undefined;
    }
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #isMissing(message: string): void {
    this.#missing = message;
    this.kill();
  }

  #whyEnded(code: number | null, signal: string | null): EngineError {
    if (this.#missing !== undefined) return new EngineError('missing', this.#missing);
    if (this.#lastWords.endsWith(MEMORY_WORDS)) return new EngineError('memory', MEMORY_WORDS);
    const words = this.#lastWords.trim().split('\n').pop() ?? '';
    return new EngineError('crash', `The engine has ended (${signal ?? code}). ${words}`.trim());
  }
}

function passedOn(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
