import { BatonError, escapeControls, type ResourceTemplate, renderText } from '@baton/core';
import type { PlanService } from './service.ts';

/** What a template gives when there is no such plan or job. */
async function unlessUnknown<Result>(read: Promise<Result>): Promise<Result | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof BatonError && /_unknown$/.test(error.code)) return undefined;
    throw error;
  }
}

const NOT_WAITING = {
  signal: new AbortController().signal,
  draining: new AbortController().signal,
  progress: () => {},
};

/** What jobs have said, and how people have named things, must not act on a terminal. */
function plainText(text: string) {
  return { mimeType: 'text/plain', text: escapeControls(text) };
}

export const planResources: readonly ResourceTemplate<PlanService>[] = [
  {
    uriTemplate: 'baton://plan/{id}',
    name: 'plan',
    title: 'A plan',
    description: 'Where a plan stands.',
    mimeType: 'text/plain',
    complete: (service, _, typed) => service.idsBeginningWith(typed),
    async read(service, { id = '' }) {
      const query = { plan: id, view: 'summary' as const };
      const found = await unlessUnknown(service.look(query, NOT_WAITING));
      return found && plainText(renderText(found));
    },
    watch: (service, { id = '' }, changed) => service.watch(id, changed),
  },
  {
    uriTemplate: 'baton://plan/{id}/job/{job}/log',
    name: 'job-log',
    title: 'Output of a job',
    description: 'The newest output of a job of a plan.',
    mimeType: 'text/plain',
    complete: (service, variable, typed) =>
      variable === 'id' ? service.idsBeginningWith(typed) : [],
    async read(service, { id = '', job = '' }) {
      const query = { plan: id, view: 'logs' as const, job };
      const found = await unlessUnknown(service.look(query, NOT_WAITING));
      return found?.logs && plainText(found.logs.text);
    },
    watch: (service, { id = '', job = '' }, changed) => service.watchLog(id, job, changed),
  },
];
