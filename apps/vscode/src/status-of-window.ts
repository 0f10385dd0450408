import type { ErrorReport } from '@baton/core';
import type { HttpServer, HttpState } from './http-server.ts';
import type { Port } from './port.ts';
import type { Offer } from './server-definitions.ts';
import type { Settings } from './settings.ts';
import type { HttpStatus, WindowStatus } from './status.ts';

export interface WindowFacts {
  readonly settings: Settings;
  readonly takesServers: boolean;
  readonly offers: readonly Offer[];
  readonly servers: ReadonlyMap<string, HttpServer>;
  readonly inProcess: readonly string[];
  readonly isTrusted: boolean;
}

/** How the chats of this window reach Baton, worked out from what is there. */
export function windowStatus(facts: WindowFacts): WindowStatus {
  const { settings, offers, inProcess, isTrusted } = facts;
  const common = { inProcess, isReadOnly: !isTrusted };
  const off = (reason: string): WindowStatus => ({
    ...common,
    transport: 'none',
    state: 'off',
    servers: [],
    reason,
  });
  if (!facts.takesServers) return off('this editor takes no MCP servers from extensions');
  if (!settings.autoRegister) return off('baton.mcp.autoRegister is off');
  if (offers.length === 0) return off('no folder is open');
  if (settings.transport === 'http') return { ...common, ...overHttp(facts) };
  const servers = offers.map(({ label }) => ({ label }));
  return { ...common, transport: 'stdio', state: 'registered', servers };
}

function overHttp({ offers, servers }: WindowFacts) {
  const transport = 'http' as const;
  const states = offers.map(({ label, folder }) => ({ label, state: servers.get(folder)?.state }));
  const running = states.flatMap(({ label, state }) =>
    state?.kind === 'running' ? [{ label, endpoint: state.url }] : [],
  );
  const failed = states.flatMap(({ state }) => (state?.kind === 'failed' ? [state.error] : []))[0];
  if (failed) {
    const reason = `${failed.message} ${failed.next}`;
    return { transport, state: 'failed' as const, servers: running, reason };
  }
  const isComplete = running.length === offers.length;
  return {
    transport,
    state: isComplete ? ('registered' as const) : ('starting' as const),
    servers: running,
  };
}

const PORTS =
  'Set baton.http.port to a number from 1 to 65535, to 0 for any that is free, or to null for none.';

/** How other clients reach Baton. The first folder's server stands for all. */
export function httpStatus(
  isWanted: boolean,
  port: Port,
  servers: ReadonlyMap<string, HttpServer>,
): HttpStatus {
  if (isWanted && port.kind === 'invalid') {
    return { state: 'failed', reason: `${port.problem} ${PORTS}` };
  }
  if (isWanted && port.kind === 'off') {
    return { state: 'stopped', reason: 'baton.http.port is null.' };
  }
  const states = [...servers.values()].map(({ state }) => state);
  const failed = states.find((state) => state.kind === 'failed');
  const state: HttpState | undefined = failed ?? states[0];
  if (!state) return { state: 'stopped' };
  if (state.kind === 'failed') return { state: 'failed', reason: reasonOf(state.error) };
  if (state.kind !== 'running') return { state: state.kind };
  return { state: 'running', endpoint: state.url, port: state.port };
}

/** What the program advises is for its own command line; here a port is a setting. */
function reasonOf({ code, message, next }: ErrorReport): string {
  if (code === 'port_in_use')
    return `${message} Stop that program, or choose another port. ${PORTS}`;
  return `${message} ${code === 'cannot_listen' ? PORTS : next}`;
}
