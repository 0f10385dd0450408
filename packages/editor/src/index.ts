// What every process knows of the editor. What only those need who use it is in work.ts.
export { createEditorFeature } from './feature.ts';
export type { EditorPorts } from './ports.ts';
export type { EditorService } from './service.ts';
export { editorTools } from './tools/index.ts';
