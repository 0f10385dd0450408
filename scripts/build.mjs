import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const outfile = `${root}apps/cli/dist/baton.mjs`;
const bytes = await bundle(`${root}apps/cli/src/main.ts`, outfile);
process.stderr.write(`apps/cli/dist/baton.mjs ${Math.round(bytes / 1024)} KiB\n`);
