import { BatonError } from '@baton/core';
import { type FileProblem, sentenceOf } from '@baton/folders';

export function changedMeanwhile(files: readonly string[]): BatonError {
  return new BatonError(
    'files_changed',
    `Files were changed while the edits were computed: ${files.slice(0, 5).join(', ')}. Nothing was changed by Baton.`,
    'Call again once nobody writes to them.',
  );
}

export function unreadable(file: string, problem: FileProblem, maxBytes: number): BatonError {
  return new BatonError(
    'file_unusable',
    `${file} cannot be edited. ${sentenceOf(problem, maxBytes)}`,
    'Name another file, or change it by hand.',
  );
}

export function outside(what: string): BatonError {
  return new BatonError(
    'outside_workspace',
    `${what} would change files outside of the workspace, or in installed packages.`,
    'Choose a symbol or file that belongs to this workspace.',
  );
}

export function cannotOrganize(file: string, who: string): BatonError {
  return new BatonError(
    'cannot_organize_imports',
    `${who} does not say how the imports of ${file} are organised. Nothing was changed.`,
    'Use a formatter of this language, or edit the file by hand.',
  );
}
