export { bucketsOf } from '../src/insights/buckets.ts';
export type { Finding } from '../src/insights/finding.ts';
export { type InsightsRequest, insights } from '../src/insights/insights.ts';
export {
  cramersV,
  holm,
  kruskalWallis,
  mannKendall,
  median,
  medianDeviation,
  spearmanP,
  theilSen,
} from '../src/insights/statistics.ts';
export {
  chiSquaredTail,
  logGamma,
  normalTail,
  poissonAtLeast,
  poissonAtMost,
  studentTail,
} from '../src/insights/tails.ts';
