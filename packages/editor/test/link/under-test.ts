// biome-ignore-start lint/style/noRestrictedImports: this is the package's own source, one folder further up than the pattern expects.
export type { EditorHost } from '../../src/link/editor-host.ts';
export { EditorLink } from '../../src/link/editor-link.ts';
export { LinkClient } from '../../src/link/link-client.ts';
// biome-ignore-end lint/style/noRestrictedImports: as above.
