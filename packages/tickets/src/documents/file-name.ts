import type { TicketDocument } from './ticket-document.ts';

const LONGEST_NAME = 60;

/** `T-0014-log-in-again.md`: sorted by number, and a name that every file system takes. */
export function fileNameOf({ number, title }: Pick<TicketDocument, 'number' | 'title'>): string {
  const start = `T-${String(number).padStart(4, '0')}`;
  const longest = LONGEST_NAME - `${start}-.md`.length;
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const slug = shortened((words ?? []).join('-'), longest);
  return slug === '' ? `${start}.md` : `${start}-${slug}.md`;
}

/** Cut between two words, or within one that is too long itself. */
function shortened(slug: string, longest: number): string {
  if (slug.length <= longest) return slug;
  return slug
    .slice(0, longest + 1)
    .replace(/-[^-]*$/, '')
    .slice(0, longest);
}
