// The program as it is, with what the conformance suite expects beside its own features.
import '../src/protect-stdout.ts';
import { conformanceFeature } from '@baton/testkit';
import { runProcess } from '../src/run-process.ts';

await runProcess({ features: [conformanceFeature] });
