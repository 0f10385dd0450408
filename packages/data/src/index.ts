// What every process knows of data. What only those need who use it is in work.ts.
export { createDataFeature } from './feature.ts';
export type { DataPorts } from './ports.ts';
export type { DataService } from './service.ts';
export { dataTools } from './tools/index.ts';
