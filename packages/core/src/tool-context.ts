import { createAsking } from './asking.ts';
import type { CallContext } from './call.ts';
import type { Log, LogLevel } from './ports.ts';
import type { Reporter } from './progress-reporter.ts';
import { escapeControls } from './text.ts';
import type { Tool, ToolContext } from './tool.ts';

const NEVER = new AbortController().signal;

/** What a tool may use while it runs. */
export function createToolContext(
  tool: Tool,
  call: CallContext,
  log: Log,
  reporter: Reporter,
): ToolContext {
  const own = log.child(tool.name);
  const forwarding: Log = {
    isEnabled: (level) => own.isEnabled(level),
    child: (name) => own.child(name),
    write(level: LogLevel, message: string) {
      own.write(level, message);
      if (!call.signal.aborted) call.clientLog?.(level, escapeControls(message));
    },
  };
  const { can, ask, askAll } = createAsking(tool.name, call);
  return {
    can,
    ask,
    askAll,
    signal: call.signal,
    draining: call.draining ?? NEVER,
    log: forwarding,
    progress: reporter.report,
  };
}
