/** What the setting `baton.http.port` says. */
export type Port =
  | { readonly kind: 'port'; readonly port: number }
  | { readonly kind: 'off' }
  | { readonly kind: 'invalid'; readonly problem: string };

const MAX_PORT = 65_535;

/** Looked at before anything listens. The value comes from a settings file: it can be anything. */
export function readPort(value: unknown): Port {
  if (value === null) return { kind: 'off' };
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_PORT) {
    // -0 is an integer too, and would be shown as it is.
    return { kind: 'port', port: Math.abs(value as number) };
  }
  const shown = JSON.stringify(value) ?? String(value);
  return { kind: 'invalid', problem: `${shown.slice(0, 100)} is no port.` };
}
