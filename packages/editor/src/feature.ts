import { defineFeature, type Ports } from '@baton/core';
import type { EditorPorts } from './ports.ts';
import type { EditorService } from './service.ts';
import { editorTools } from './tools/index.ts';

/** `connect` is given what the process has; what is slow happens there, on first use. */
export function createEditorFeature(connect: (ports: Ports) => Promise<EditorPorts>) {
  return defineFeature<EditorService>({
    id: 'editor',
    instructions:
      'To rename or move a symbol, file or folder, use `rename_symbol` and `rename_file`: they update every reference and import.',
    tools: editorTools,
    async create(ports) {
      const [connected, { EditorService: Service }] = await Promise.all([
        connect(ports),
        import('./service.ts'),
      ]);
      return new Service(connected);
    },
  });
}
