/** What an old name of a tool stands for. */
export interface Alias {
  readonly tool: string;
  /**
   * The arguments of the tool, from those of the old name. What is no object, or makes no sense,
   * is handed on as it is, for the tool's schema to refuse.
   */
  readonly input?: (args: Readonly<Record<string, unknown>>) => object;
  /** What a bare call answers, made from the tool's data; without it the data itself. May be null. */
  readonly bare?: (data: Readonly<Record<string, unknown>>) => unknown;
}

/** Old names of tools: callable, never listed. A string is the name of the tool. */
export type Aliases = Readonly<Record<string, string | Alias>>;

export function aliasesByName(aliases: Aliases): ReadonlyMap<string, Alias> {
  return new Map(
    Object.entries(aliases).map(([name, to]) => [name, typeof to === 'string' ? { tool: to } : to]),
  );
}
