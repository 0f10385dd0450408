import { fingerprint } from '@baton/store';

/** A file without an id is known by its place: read again, it is the same ticket. */
export async function idOfPlace(workspace: string, file: string): Promise<string> {
  const print = await fingerprint({ workspace, file });
  const bytes = atob(print.replaceAll('-', '+').replaceAll('_', '/'));
  const hex = [...bytes].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  // The version and the variant of a UUID that is made in a way of one's own.
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}
