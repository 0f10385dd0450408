import type { CommandFile, CommandSource } from '@baton/core';
import { readWorkspaceFile, sourceOf, unusable } from '../workspace-file.ts';

/**
 * The commands in a file of the workspace. The file is read once: what is returned here is what
 * has to be shown, approved and run.
 */
export async function readCommandSource(
  workspace: string,
  file: string,
  known: readonly CommandFile[],
): Promise<CommandSource> {
  const kind = known.find((candidate) => candidate.reads(sourceOf(workspace, file)));
  if (!kind) {
    throw unusable(
      file,
      'is of no kind whose commands Baton runs',
      'There is nothing to approve in it; name another file.',
    );
  }
  const { text, source } = readWorkspaceFile(workspace, file);
  return { workspace, source, ...(await kind.find(text, source, workspace)) };
}
