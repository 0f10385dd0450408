import { program } from '@baton/e2e/programs';
import { bundle } from '../../scripts/bundle.mjs';
import { install } from './install.ts';

export default async function prepare(): Promise<void> {
  install();
  await bundle('apps/cli/src/main.ts', program);
}
