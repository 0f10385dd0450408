import { defineFeature, type Ports } from '@baton/core';
import type { PlanPorts } from './ports.ts';
import { planResources } from './resources.ts';
import type { PlanService } from './service.ts';
import { planTools } from './tools/index.ts';

/** `connect` is given what the process has; what is slow happens there, on first use. */
export function createPlansFeature(connect: (ports: Ports) => Promise<PlanPorts>) {
  return defineFeature<PlanService>({
    id: 'plans',
    instructions:
      'Work that takes longer than a moment, or that has independent parts, is best given to `plan_create` as jobs; it goes on when you are gone.',
    tools: planTools,
    resourceTemplates: planResources,
    async create(ports) {
      // Most clients never make a plan: nothing of this is loaded before one does.
      const [connected, { PlanService: Service }] = await Promise.all([
        connect(ports),
        import('./service.ts'),
      ]);
      return new Service(connected);
    },
  });
}
