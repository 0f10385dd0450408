import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { TestDisk, treeOf } from './test-disk.ts';

/** Notices what came and went too. */
export function traceOf(folder: string): unknown {
  const { mtimeNs, ctimeNs } = statSync(folder, { bigint: true });
  return { mtimeNs, ctimeNs, tree: treeOf(folder) };
}

/** Outside is the same as inside: only the path tells that it is not to be changed. */
export function twin(): TestDisk {
  const disk = new TestDisk({ 'src/a.ts': 'a', 'src/b.ts': 'b', 'src/d.ts': 'd', 'z.ts': 'z' });
  for (const name of ['a', 'b', 'd']) writeFileSync(path.join(disk.outside, `${name}.ts`), name);
  return disk;
}
