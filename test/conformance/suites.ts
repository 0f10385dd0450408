/** The runs of the public suite: what it is given to run, and which of it counts. */
export interface Suite {
  readonly name: string;
  readonly version: '0.1.16' | '0.2.0-alpha.12';
  readonly args: readonly string[];
  /** The revision whose list says what is required; without it, everything is. */
  readonly revision?: string;
}

export const suites: readonly Suite[] = [
  { name: '0.1.16, all', version: '0.1.16', args: ['--suite', 'all'] },
  ...['2025-11-25', '2026-07-28'].map((revision) => ({
    name: `0.2.0-alpha.12, required for ${revision}`,
    version: '0.2.0-alpha.12' as const,
    args: ['--requirements', revision],
    revision,
  })),
];

const BRIDGE = 'about HTTP alone: over stdio it would test the bridge';

/** What says nothing about a target, and why. Nothing else is left out of the count. */
export const notApplicable: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  http: {},
  stdio: {
    'dns-rebinding-protection': BRIDGE,
    'http-custom-header-server-validation': BRIDGE,
    'http-header-validation': BRIDGE,
    'server-session-lifecycle': BRIDGE,
    'server-sse-polling': BRIDGE,
  },
};
