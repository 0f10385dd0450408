import path from 'node:path';
import type { Baton, Ports } from '@baton/core';
import type { DataPorts, DataService } from '@baton/data';
import { keyOf } from './folder-key.ts';
import type { NamedFolder } from './named-folders.ts';

export interface DataSettings {
  readonly state: string;
  /** The user's own folder of configuration. */
  readonly userFolder: string;
  readonly data: readonly NamedFolder[];
  /** This program, which runs the engine in another process when it is told so. */
  readonly program: DataPorts['program'];
}

/** Connects data with this process, on first use. */
export function connectData({ state, userFolder, data, program }: DataSettings) {
  return async ({ clock, log, changes, workspace }: Ports): Promise<DataPorts> => ({
    clock,
    log,
    changes,
    sources: [
      ...(workspace.hasForeignFolder
        ? []
        : [
            {
              name: '.baton/data',
              path: path.join(workspace.path, '.baton', 'data'),
              within: workspace.path,
            },
          ]),
      ...data.map((one) => ({ ...one, isNamed: true as const })),
      { name: 'your data', path: path.join(userFolder, 'data') },
    ],
    cacheFolder: path.join(state, 'data', keyOf(workspace.path)),
    program,
    packagesOf: [program.file, path.join(state, 'package.json')],
    installInto: state,
  });
}

/** What the program does when it is told to run the engine for another one. It does not return. */
export async function runDataEngine(settings: string): Promise<never> {
  const { runEngineProcess } = await import('@baton/data/engine-process');
  await runEngineProcess(JSON.parse(settings));
  return new Promise(() => {});
}

/** The service behind the tools, for what people do with it and clients do not. */
export async function openData({ catalogue }: Baton): Promise<DataService> {
  return (await catalogue.tool('data_describe').service()) as DataService;
}
