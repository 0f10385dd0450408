import { installHost, versions } from './install.ts';

for (const version of versions) installHost(version);
