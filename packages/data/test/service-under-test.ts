export type { DataPorts } from '../src/ports.ts';
export { DataService } from '../src/service.ts';
export { ENGINE_PACKAGE } from '../src/trouble.ts';
