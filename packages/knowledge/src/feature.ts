import { defineFeature, type Ports } from '@baton/core';
import type { KnowledgePorts } from './ports.ts';
import { knowledgeResources, knowledgeTemplates } from './resources.ts';
import type { KnowledgeService } from './service.ts';
import { knowledgeTools } from './tools/index.ts';

/** `connect` is given what the process has; what is slow happens there, on first use. */
export function createKnowledgeFeature(connect: (ports: Ports) => Promise<KnowledgePorts>) {
  return defineFeature<KnowledgeService>({
    id: 'knowledge',
    instructions:
      'Before you start on something, `knowledge_search` finds what this team already knows about it.',
    tools: knowledgeTools,
    resources: knowledgeResources,
    resourceTemplates: knowledgeTemplates,
    findPrompts: (service) => service.prompts(),
    async create(ports) {
      const [connected, { KnowledgeService: Service }] = await Promise.all([
        connect(ports),
        import('./service.ts'),
      ]);
      return new Service(connected);
    },
  });
}
