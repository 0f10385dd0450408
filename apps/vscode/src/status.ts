import * as vscode from 'vscode';
import type { HttpState } from './http-server.ts';
import type { Log } from './log.ts';
import type { Transport } from './settings.ts';

/** How the chats of this window reach Baton. */
export interface WindowStatus {
  readonly transport: Transport | 'none';
  readonly state: 'registered' | 'starting' | 'failed' | 'off';
  /** The servers that this window offers: one per folder. */
  readonly servers: readonly { readonly label: string; readonly endpoint?: string }[];
  /** Tools that are registered with the editor itself. */
  readonly inProcess: readonly string[];
  readonly isReadOnly: boolean;
  /** Why it is off or has failed. */
  readonly reason?: string;
}

/** How other programs reach Baton. */
export interface HttpStatus {
  readonly state: HttpState['kind'];
  readonly endpoint?: string;
  readonly port?: number;
  readonly reason?: string;
}

export interface Status {
  readonly version: string;
  readonly window: WindowStatus;
  readonly http: HttpStatus;
}

/** The one place that knows how Baton is doing. Told by those who act, heard by those who show. */
export class StatusBoard {
  readonly #changed = new vscode.EventEmitter<Status>();
  readonly onDidChange = this.#changed.event;
  readonly #log: Log;
  #status: Status;

  constructor(status: Status, log: Log) {
    this.#status = status;
    this.#log = log;
  }

  get status(): Status {
    return this.#status;
  }

  set(status: Status): void {
    const before = describe(this.#status);
    if (JSON.stringify(status) === JSON.stringify(this.#status)) return;
    this.#status = status;
    const now = describe(status);
    const isFailed = status.window.state === 'failed' || status.http.state === 'failed';
    if (now !== before) this.#log.write(isFailed ? 'error' : 'info', now);
    this.#changed.fire(status);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** One sentence for each way in. */
export function describe({ version, window, http }: Status): string {
  return `Baton ${version}: ${describeWindow(window)} ${describeHttp(http)}`;
}

function describeWindow(window: WindowStatus): string {
  const { transport, state, servers, inProcess, isReadOnly, reason } = window;
  const names = servers.map(({ label, endpoint }) =>
    endpoint ? `${label} at ${endpoint}` : label,
  );
  const parts = [
    state === 'registered'
      ? `chats of this window use ${names.join(', ')} over ${transport}`
      : `chats of this window have no server (${reason ?? state})`,
    ...(inProcess.length > 0 ? [`${inProcess.length} tools in-process`] : []),
    ...(isReadOnly ? ['read-only, because the workspace is not trusted'] : []),
  ];
  return `${parts.join('; ')}.`;
}

function describeHttp({ state, endpoint, reason }: HttpStatus): string {
  if (state === 'running') return `Other clients use ${endpoint}.`;
  if (state === 'failed') return `HTTP failed: ${reason}`;
  return state === 'starting' ? 'HTTP is starting.' : 'HTTP is off.';
}
