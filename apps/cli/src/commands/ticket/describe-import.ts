import type { ImportedFile } from '@baton/runtime';

const OUTCOMES = ['created', 'updated', 'unchanged', 'conflict', 'ignored'] as const;

/** What became of each file that is worth a line, and a sum. */
export function describeImport(
  files: readonly ImportedFile[],
  { dryRun }: { readonly dryRun: boolean },
): string {
  const counts = OUTCOMES.flatMap((outcome) => {
    const count = files.filter((file) => file.outcome === outcome).length;
    return count > 0 ? [`${count} ${outcome}`] : [];
  });
  const isConflict = files.some(({ outcome }) => outcome === 'conflict');
  return [
    ...files.filter(({ outcome }) => outcome !== 'unchanged').map(lineOf),
    `${counts.join(', ') || 'No files'}.${dryRun ? ' Nothing was written: this was a dry run.' : ''}`,
    ...(isConflict ? ['To take those files as they are: --force'] : []),
  ].join('\n');
}

function lineOf({ outcome, ticket = '', file, was, changed, why }: ImportedFile): string {
  const more = [
    ...(was ? [`${was} in the file`] : []),
    ...(changed ? [changed.join(', ')] : []),
    ...(why ? [why] : []),
    ...(outcome === 'ignored' ? ['is no ticket'] : []),
  ];
  const line = `${outcome.padEnd(9)} ${ticket.padEnd(5)} ${file}`;
  return more.length > 0 ? `${line}: ${more.join('; ')}` : line;
}
