interface Rendered {
  readonly category: string;
  readonly rows: number;
  readonly findings: readonly {
    readonly kind: string;
    readonly what: string;
    readonly how: string;
  }[];
  readonly source: string;
  readonly version: string;
  readonly next?: string | undefined;
}

/** A finding on each line; its sentence has its numbers. */
export function renderInsights({
  category,
  rows,
  findings,
  source,
  version,
  next,
}: Rendered): string {
  const lines = findings.map(({ kind, what, how }) => `- ${kind}: ${what} (${how})`);
  const none = findings.length === 0 ? ['Nothing stands out.'] : [];
  const about = `(${rows} records of ${category}; ${source}; version ${version})`;
  return [...lines, ...none, about, ...(next ? [next] : [])].join('\n');
}
