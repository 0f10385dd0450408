import { escapeLine } from '@baton/core';

export interface DrawnJob {
  readonly id: string;
  readonly name?: string | undefined;
  readonly needs?: readonly string[] | undefined;
  /** Groups within groups: `backend/api`. */
  readonly group?: string | undefined;
  readonly state: string;
}

const LONGEST_LABEL = 60;

const COLOURS: ReadonlyMap<string, string> = new Map([
  ['pending', 'fill:#eaeef2,stroke:#8c959f,color:#24292f'],
  ['waiting', 'fill:#eaeef2,stroke:#8c959f,color:#24292f'],
  ['ready', 'fill:#ddf4ff,stroke:#0969da,color:#24292f'],
  ['scheduled', 'fill:#ddf4ff,stroke:#0969da,color:#24292f'],
  ['running', 'fill:#0969da,stroke:#033d8b,color:#ffffff'],
  ['succeeded', 'fill:#1a7f37,stroke:#044f1e,color:#ffffff'],
  ['failed', 'fill:#cf222e,stroke:#82071e,color:#ffffff'],
  ['blocked', 'fill:#fff8c5,stroke:#9a6700,color:#24292f'],
  ['cancelled', 'fill:#6e7781,stroke:#424a53,color:#ffffff'],
]);

/**
 * A text from outside as a label. Whatever could mean something to Mermaid, to its Markdown or to
 * HTML is an entity: all but letters, digits and what is harmless between them.
 */
export function label(text: string, longest = LONGEST_LABEL): string {
  const safe = shortened(text, longest)
    .replace(/[^\p{L}\p{M}\p{N} _.,/()…-]|^-/gu, entity)
    // It would become a list, which Mermaid refuses to draw.
    .replace(/^(\d+)([.)])/, (_, digits: string, mark: string) => digits + entity(mark));
  return `"${safe}"`;
}

/** One line, and nothing in it that hides or reorders. */
export function shortened(text: string, longest: number): string {
  const characters = [...escapeLine(text.replace(/\s+/g, ' ').trim())];
  if (characters.length <= longest) return characters.join('');
  return `${characters.slice(0, longest - 1).join('')}…`;
}

function entity(character: string): string {
  return character === '"' ? '#quot;' : `#${character.codePointAt(0)};`;
}

/** `end` and other words mean something to Mermaid, and so do two dashes. */
export function nodeId(jobId: string): string {
  return `j_${jobId.replace(/[^a-z0-9]/g, '_')}`;
}

export function node(id: string, quoted: string, state?: string): string {
  return `${id}[${quoted}]${state !== undefined && COLOURS.has(state) ? `:::${state}` : ''}`;
}

/** The whole text: only those states get a class that are there. */
export function flowchart(lines: readonly string[], states: Iterable<string>): string {
  const present = new Set(states);
  const classes = [...COLOURS]
    .filter(([state]) => present.has(state))
    .map(([state, colours]) => `classDef ${state} ${colours}`);
  return ['flowchart LR', ...[...lines, ...classes].map((line) => `  ${line}`), ''].join('\n');
}
