import { BatonError } from '@baton/core';
import { type Io, print } from '../../io.ts';

const OF_FILES = ['ticket_file_invalid', 'file_occupied'];

/** What is wrong with files is told line by line: editors and terminals make links of them. */
export async function tellingFiles(io: Io, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BatonError) || !OF_FILES.includes(error.code)) throw error;
    await print(io.stderr, `${error.message}\n${error.next}`);
    return 1;
  }
}
