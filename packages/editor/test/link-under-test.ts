export type { EditorHost } from '../src/link/editor-host.ts';
export { EditorLink } from '../src/link/editor-link.ts';
export { LinkClient } from '../src/link/link-client.ts';
