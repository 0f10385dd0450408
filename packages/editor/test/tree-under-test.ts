export { WordBytes } from '../src/tree/word-bytes.ts';
export { WorkspaceTree } from '../src/tree/workspace-tree.ts';
