import { testSources } from './real-sources.ts';

testSources('rxjs');
