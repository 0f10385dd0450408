import { status } from './status.ts';

export const systemTools = [status];
