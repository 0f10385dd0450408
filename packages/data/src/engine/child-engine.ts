import { type Engine, EngineError, type Result, type RunOptions } from './engine.ts';
import { EngineChild, type EngineProgram } from './engine-child.ts';
import type { EngineSettings, FromEngine } from './messages.ts';

/** Statements at once. Each of them uses all threads. */
const AT_ONCE = 2;
/** What cannot be interrupted within this is ended with its process. */
const GRACE_MS = 1000;
/** A process that has had nothing to do for so long is ended. */
const IDLE_MS = 5 * 60 * 1000;
const USUAL_SECONDS = 60;
const USUAL_ROWS = 10_000;

/** Statements that make views, for a statement that needs them. */
export interface Views {
  /** Others with the same key are the same. */
  readonly key: string;
  readonly sql: string;
}

interface Task {
  readonly id: number;
  readonly sql: string;
  readonly options: RunOptions;
  readonly views: Views | undefined;
  resolve(result: Result): void;
  reject(error: EngineError): void;
  /** The process has ended while it ran beside others: it has to show that it was not it. */
  isAlone: boolean;
  timer?: NodeJS.Timeout;
  /** Nobody waits for it any more, for this reason. */
  ended?: EngineError;
}

/** The engine in a process of its own, which is started on first use and replaced when it ends. */
export class ChildEngine implements Engine {
  readonly #program: EngineProgram;
  readonly #settings: EngineSettings;
  #child: EngineChild | undefined;
  #isReady = false;
  #queue: Task[] = [];
  readonly #running = new Map<number, Task>();
  #lastId = 0;
  #idle: NodeJS.Timeout | undefined;
  /** While views are made, nothing else runs. */
  #isMakingViews = false;

  constructor(program: EngineProgram, settings: EngineSettings) {
    this.#program = program;
    this.#settings = settings;
  }

  /** With `views`, it runs when these have been made and before others are. */
  run(sql: string, options: RunOptions = {}, views?: Views): Promise<Result> {
    const { signal } = options;
    return new Promise((resolve, reject) => {
      this.#lastId += 1;
      const task: Task = {
        id: this.#lastId,
        sql,
        options,
        views,
        isAlone: false,
        resolve: (result) => {
          signal?.removeEventListener('abort', cancel);
          resolve(result);
        },
        reject: (error) => {
          signal?.removeEventListener('abort', cancel);
          reject(error);
        },
      };
      const cancel = () => this.#giveUp(task, new EngineError('cancelled', 'It was cancelled.'));
      if (signal?.aborted) return reject(new EngineError('cancelled', 'It was cancelled.'));
      signal?.addEventListener('abort', cancel, { once: true });
      this.#queue.push(task);
      this.#pump();
    });
  }

  /** Ends the process; another is started when it is needed. */
  close(): void {
    const child = this.#child;
    // What runs is told when it has ended; what comes next must not be sent to it.
    if (this.#running.size === 0) this.#forgetChild();
    child?.kill();
  }

  #pump(): void {
    clearTimeout(this.#idle);
    if (this.#queue.length > 0) this.#startChild();
    while (this.#isReady && this.#canStart()) {
      const task = this.#queue.shift();
      if (task) this.#start(task);
    }
    const isBusy = this.#queue.length > 0 || this.#running.size > 0;
    if (this.#child) this.#child.isAwaited = isBusy;
    if (!isBusy) this.#idle = setTimeout(() => this.close(), IDLE_MS).unref();
  }

  #canStart(): boolean {
    const next = this.#queue[0];
    if (!next || this.#isMakingViews) return false;
    const needsViews = next.views !== undefined && next.views.key !== this.#child?.views;
    if (!needsViews && !next.isAlone) {
      const others = [...this.#running.values()];
      return others.length < AT_ONCE && !others.some(({ isAlone }) => isAlone);
    }
    if (this.#running.size > 0) return false;
    if (needsViews && next.views) this.#makeViews(next, next.views);
    return !needsViews;
  }

  #makeViews(task: Task, { key, sql }: Views): void {
    this.#isMakingViews = true;
    this.#lastId += 1;
    const child = this.#child;
    const done = () => {
      this.#isMakingViews = false;
    };
    this.#start({
      id: this.#lastId,
      sql,
      options: {},
      views: undefined,
      isAlone: true,
      resolve: () => {
        if (child) child.views = key;
        done();
      },
      reject: (error) => {
        done();
        this.#queue = this.#queue.filter((one) => one !== task);
        task.reject(error);
      },
    });
  }

  #start(task: Task): void {
    const { values = [], rows = USUAL_ROWS, seconds = USUAL_SECONDS } = task.options;
    this.#running.set(task.id, task);
    this.#child?.send({ type: 'run', id: task.id, sql: task.sql, values, rows });
    task.timer = setTimeout(
      () => this.#giveUp(task, new EngineError('time', `It took more than ${seconds} s.`)),
      seconds * 1000,
    );
  }

  /** Whoever waits is told at once; the engine may take a while to stop. */
  #giveUp(task: Task, why: EngineError): void {
    if (task.ended) return;
    task.ended = why;
    task.reject(why);
    clearTimeout(task.timer);
    if (!this.#running.has(task.id)) {
      this.#queue = this.#queue.filter((one) => one !== task);
      this.#pump();
      return;
    }
    const child = this.#child;
    child?.send({ type: 'interrupt', id: task.id });
    task.timer = setTimeout(() => child?.kill(), GRACE_MS);
  }

  #answered(message: Extract<FromEngine, { readonly id: number }>): void {
    const task = this.#running.get(message.id);
    if (!task) return;
    this.#running.delete(message.id);
    clearTimeout(task.timer);
    if (!task.ended) {
      if (message.type === 'result') task.resolve(message.result);
      else task.reject(new EngineError(message.failure, message.message));
    }
    this.#pump();
  }

  #startChild(): void {
    if (this.#child) return;
    const child = new EngineChild(this.#program, this.#settings, {
      ready: () => {
        this.#isReady = true;
        this.#pump();
      },
      answered: (message) => this.#answered(message),
      ended: (why) => {
        if (this.#child === child) this.#ended(why);
      },
    });
    this.#child = child;
  }

  #forgetChild(): void {
    this.#child = undefined;
    this.#isReady = false;
  }

  #ended(why: EngineError): void {
    const wasReady = this.#isReady;
    this.#forgetChild();
    const running = [...this.#running.values()];
    this.#running.clear();
    for (const { timer } of running) clearTimeout(timer);
    if (!wasReady) {
      // It would not start the next time either; whoever asks later tries again.
      const waiting = this.#queue;
      this.#queue = [];
      for (const task of waiting) task.reject(why);
    }
    const left = running.filter(({ ended }) => !ended);
    const wasKilled = left.length < running.length;
    const [only] = left;
    if (only && left.length === 1 && !wasKilled) only.reject(why);
    else {
      if (!wasKilled) for (const task of left) task.isAlone = true;
      this.#queue = [...left, ...this.#queue];
    }
    this.#pump();
  }
}
