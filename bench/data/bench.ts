import { linkSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Figures } from '../figures.ts';
import { environment } from '../run.ts';
import { ToolClient } from '../tool-client.ts';
import { FORMATS, type Format, growSales, growTables } from './grow.ts';
import type { Name, RowId } from './rows.ts';

/** `everything` has the many tables and the sales, `empty` has no data. */
type Workspace = Format | 'many' | 'everything' | 'empty';

export interface DataBench {
  readonly figures: Figures<RowId, Name>;
  readonly baton: string;
  readonly home: string;
}

export interface Sizes {
  readonly sales: number;
  readonly customers: number;
  readonly tables: number;
}

export function makeWorkspaces({ home }: DataBench, { tables, ...sizes }: Sizes): void {
  growSales({ csv: dataOf(home, 'csv'), ndjson: dataOf(home, 'ndjson') }, sizes);
  growTables(dataOf(home, 'many'), tables);
  mkdirSync(workspaceOf(home, 'empty'));
  mkdirSync(dataOf(home, 'everything'), { recursive: true });
  for (const from of [...FORMATS, 'many'] as const) {
    const to = path.join(dataOf(home, 'everything'), from);
    mkdirSync(to);
    for (const file of readdirSync(dataOf(home, from))) {
      linkSync(path.join(dataOf(home, from), file), path.join(to, file));
    }
  }
}

export function workspaceOf(home: string, workspace: Workspace): string {
  return path.join(home, workspace);
}

export function dataOf(home: string, workspace: Workspace): string {
  return path.join(workspaceOf(home, workspace), '.baton', 'data');
}

/** What it has read of the workspace is in the state of that name. */
export function startBaton(
  { baton, home }: DataBench,
  workspace: Workspace,
  state: string,
): ToolClient {
  const env = environment(path.join(home, `state-${state}`));
  return new ToolClient(baton, workspaceOf(home, workspace), env);
}
