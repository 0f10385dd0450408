import { readdirSync, readFileSync } from 'node:fs';
import type { FileWorkspace } from '../file-workspace.ts';
import { PlanServer, type Result } from '../plans/plan-server.ts';

export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly next: string;
}

/** A server over stdio, with words for edits. */
export class EditorServer extends PlanServer {
  /** What a call is refused with; throws if it is not. */
  async refusal(name: string, args: object): Promise<Refusal> {
    const { result, error } = await this.request('tools/call', { name, arguments: args });
    if (result?.isError) return result.structuredContent;
    throw new Error(`${name} was not refused: ${JSON.stringify(result ?? error)}`);
  }

  /** The whole result of a call, failed or not. */
  async result(name: string, args: object = {}): Promise<Result> {
    return (await this.request('tools/call', { name, arguments: args })).result;
  }

  renameSymbol(file: string, name: string, newName: string, more: object = {}): Promise<Result> {
    return this.call('rename_symbol', { file, name, newName, ...more });
  }

  /** The processes of language servers. */
  languageServers(): number[] {
    const threads = readdirSync(`/proc/${this.pid}/task`);
    return threads.flatMap((thread) => childrenOf(this.pid, thread));
  }
}

function childrenOf(pid: number, thread: string): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return []; // The thread has ended.
  }
}

export function editorServer(workspace: FileWorkspace): EditorServer {
  return new EditorServer(workspace.server());
}
