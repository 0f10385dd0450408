const K = '.baton/knowledge';

/** Lines that say the same thing of many steps: enough of a text that not all of it fits. */
function steps(about: string, count: number): string {
  const lines = Array.from(
    { length: count },
    (_, index) => `${index + 1}. Step ${index + 1} of ${about} is written down before it is done.`,
  );
  return lines.join('\n');
}

/** Its sections are all longer than a small budget. */
const MIGRATIONS = `---
tags: [postgresql, schema]
useWhen:
  - a column must change while the service runs
---
# Schema migrations

How tables change without downtime.

## Renaming columns

Add the new column, write to both, copy the old rows, then read from the new one.

${steps('renaming columns', 40)}

## Rolling back

A rollback drops nothing: the old column stays until nobody reads it any more.

${steps('rolling back', 40)}

## Locks and timeouts

Set lock_timeout before every ALTER TABLE.

${steps('locks and timeouts', 40)}
`;

/** What a small team might keep: every usual form of file, and nothing about food. */
export const TEAM_FILES: Readonly<Record<string, string>> = {
  [`${K}/guides/layout-shift.md`]: `---
tags: [css, web-vitals]
---
# Cumulative layout shift

Give every picture its width and height, or an aspect-ratio, so that the browser reserves the space.
`,
  [`${K}/guides/kubernetes-rollouts.md`]: `---
tags: [operations]
---
# Kubernetes rollouts

A deployment rolls out with maxUnavailable 0; readiness probes decide when a pod gets traffic.
`,
  [`${K}/guides/cpp-ownership.md`]: `---
tags: [native]
---
# C++ ownership

Owners are unique_ptr, borrowers are references, and nobody calls delete.
`,
  [`${K}/guides/streams.md`]: `---
tags: [backend]
---
# Node.js streams

Use pipeline from stream/promises: it closes both ends and reports the first error.
`,
  [`${K}/guides/profiles.md`]: `# Profiles of users

Ask \`getUserProfile\` of the accounts package; it is the only one that honours deletion requests.
`,
  [`${K}/guides/first-week.md`]: `---
title: The first week
tags: [team]
useWhen:
  - a new colleague starts on Monday
  - somebody needs access to the staging servers
---
# The first week

Pair on a small ticket, then write down what was missing here.
`,
  [`${K}/guides/migrations.md`]: MIGRATIONS,
  [`${K}/skills/cursor-paging/SKILL.md`]: `---
name: cursor-paging
description: Adds cursor pagination to a REST endpoint. Use when a list endpoint returns too many rows.
tags: rest, api
---
# Cursor paging

Order by a unique key, hand out the last key as an opaque cursor, and ask for one row more than shown.
`,
  [`${K}/patterns/retry-with-backoff.md`]: `---
description: Repeats what failed for a while, with growing pauses and jitter.
tags: [resilience, api]
capabilities: [retry policies, circuit breakers]
---
# Retry with exponential backoff

Double the pause after each failure, add jitter, stop after five attempts.
`,
  [`${K}/examples/webhook-signature.md`]: `---
tags: [security, api]
---
# Verifying webhook signatures

Compare the HMAC of the raw body with timingSafeEqual before anything is parsed.
`,
  [`${K}/agents/_fragments/typescript-core.md`]: `---
id: typescript-core
category: agent
tags: [typescript, types]
capabilities:
  - advanced generic types
useWhen:
  - designing typed interfaces of a library
estimatedTokens: 10
---
# TypeScript Core Expert

You write strict TypeScript: no any, discriminated unions, exhaustive switches.
`,
  [`${K}/workflows/release.md`]: `---
title: Release
description: Publishes a new version of a package.
arguments:
  - name: version
    required: true
---
# Release {{version}}

Run the checks, tag {{version}}, publish, and watch the error rate for an hour.
`,
};

/** Of each kind, what is in it. */
export const TEAM_KEYS = [
  'agent/typescript-core',
  'example/webhook-signature',
  'guide/cpp-ownership',
  'guide/first-week',
  'guide/kubernetes-rollouts',
  'guide/layout-shift',
  'guide/migrations',
  'guide/profiles',
  'guide/streams',
  'pattern/retry-with-backoff',
  'skill/cursor-paging',
  'workflow/release',
] as const;
