import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fileWorkspace } from './file-workspace.ts';
import { PlanServer } from './plans/plan-server.ts';
import { cites } from './requirements.ts';

const MIB = 1024 * 1024;
const MAX_RESIDENT = 300 * MIB;

const SAME_KEY = 'a: v\n'.repeat(200_000);
const BRACKETS = `a: ${'['.repeat(500_000)}${']'.repeat(500_000)}\n`;
const TAGS = `a:\n${'- !x y\n'.repeat(18_000)}`;

function mostResident(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

test(`${cites('T46', 'T26')} YAML that is as hostile as it is large costs a server little`, async () => {
  await using workspace = fileWorkspace({
    'same-key.yaml': SAME_KEY,
    'brackets.yaml': BRACKETS,
    'tags.yaml': TAGS,
    '.baton/data/catalog.yaml': TAGS,
    '.baton/data/pets.csv': 'animal\nwalrus\n',
  });
  const server = new PlanServer(workspace.server());
  for (const file of ['same-key.yaml', 'brackets.yaml', 'tags.yaml']) {
    await expect(server.call('plan_create', { file })).rejects.toMatchObject({
      code: 'plan_file_invalid',
    });
  }
  await server.call('data_describe');
  expect(mostResident(server.pid)).toBeLessThan(MAX_RESIDENT);
});

test(`${cites('T46', 'T26')} hostile settings and tickets are refused by name`, async () => {
  await using workspace = fileWorkspace({ 't/T-1.md': `---\n${SAME_KEY}---\nText\n` });
  const imported = await workspace.baton('ticket', 'import', 't');
  expect(imported.status).not.toBe(0);
  expect(imported.stderr).toContain('t/T-1.md:1:1: The front matter has more than 300000 words');
  workspace.write('.baton/config.yaml', SAME_KEY);
  const listed = await workspace.baton('tools');
  expect(listed.status).not.toBe(0);
  expect(listed.stderr).toMatch(/config_unreadable: .*config\.yaml .* more than 300000 words/);
  expect(listed.stderr.length).toBeLessThan(1000);
  workspace.write('.baton/config.yaml', `a: *${'x'.repeat(300_000)}\n`);
  expect((await workspace.baton('tools')).stderr.length).toBeLessThan(1000);
});
