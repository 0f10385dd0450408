import { defineFeature, type Ports } from '@baton/core';
import type { DataPorts } from './ports.ts';
import { dataResources, dataTemplates } from './resources.ts';
import type { DataService } from './service.ts';
import { dataTools } from './tools/index.ts';

/** `connect` is given what the process has; what is slow happens there, on first use. */
export function createDataFeature(connect: (ports: Ports) => Promise<DataPorts>) {
  return defineFeature<DataService>({
    id: 'data',
    instructions:
      'For facts about people, departments, applications, orders and whatever else the team keeps records of, `data_describe` tells what there is.',
    tools: dataTools,
    resources: dataResources,
    resourceTemplates: dataTemplates,
    async create(ports) {
      const [connected, { DataService: Service }] = await Promise.all([
        connect(ports),
        import('./service.ts'),
      ]);
      return new Service(connected);
    },
  });
}
