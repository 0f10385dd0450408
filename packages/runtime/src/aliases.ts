import type { Aliases } from '@baton/core';

/** Names of tools in the systems that Baton replaces. A test requires each target to exist. */
export const aliases: Aliases = Object.freeze({
  create_copilot_plan: 'plan_create',
  get_setting: 'setting_get',
  set_setting: 'setting_set',
  'relevant-data.describeCategory': { tool: 'data_describe', input: withCategory },
  'relevant-data.searchRecords': { tool: 'data_search', input: withCategory },
  getNextTask: {
    tool: 'ticket_next',
    /** A task, or `null` if there is none. */
    bare: ({ ticket, token, next }) => {
      if (!ticket) return null;
      const { id, title, body, state } = ticket as Readonly<Record<string, unknown>>;
      return { id, title, description: body, status: state, token, next };
    },
  },
  reportTaskDone: {
    tool: 'ticket_report',
    input: ({ taskId, result, ...rest }) => ({
      ...(taskId !== undefined && { id: taskId }),
      ...(result !== undefined && { summary: result }),
      outcome: 'done',
      ...rest,
    }),
    /** Its checks may say otherwise. */
    bare: ({ state, ...rest }) =>
      state === 'done' ? { success: true } : { success: false, status: state, ...rest },
  },
});

function withCategory({ categoryId, ...rest }: Readonly<Record<string, unknown>>): object {
  return { ...(categoryId !== undefined && { category: categoryId }), ...rest };
}
