import type { Migration } from '../migrate.ts';

/** Finds the next work of a group, and the groups that have any, without passing over the rest. */
export const groups: Migration = {
  number: 2,
  async up({ schema }) {
    await schema
      .createIndex('work_of_group')
      .on('work')
      .columns(['queue', 'state', 'grp', 'priority desc', 'seq'])
      .execute();
  },
};
