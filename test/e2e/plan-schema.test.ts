import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { planSchemas } from '@baton/runtime';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { cites } from './requirements.ts';

const root = path.resolve(import.meta.dirname, '../..');
const schema = JSON.parse(readFileSync(path.join(root, 'docs/plan.schema.json'), 'utf8'));
const validate = new Ajv2020({ strict: true, allErrors: true }).compile(schema);
const plans = path.join(root, 'examples/acme/plans');
const isValid = (plan: unknown) => validate(plan) && (validate.errors ?? []).length === 0;

describe('the published schema of plan files', () => {
  test.each(readdirSync(plans))(`${cites('PLAN-SCHEMA')} takes Acme's %s`, (file) => {
    const text = readFileSync(path.join(plans, file), 'utf8');
    expect(isValid(parse(text)), JSON.stringify(validate.errors)).toBe(true);
    const [, named = ''] = /\$schema=(\S+)/.exec(text) ?? [];
    expect(path.resolve(plans, named)).toBe(path.join(root, 'docs/plan.schema.json'));
  });

  test(`${cites('PLAN-SCHEMA')} agrees with what Baton takes and refuses`, () => {
    const work = 'true';
    for (const plan of [
      ...schema.examples,
      { name: 'x', jobs: [{ id: 'one', work, retry: 'never', group: 'a/b' }] },
      { name: 'x', jobs: [{ id: 'one', work: { type: 'process', executable: 'ls' } }] },
      { name: 'x', jobs: [] },
      { name: '', jobs: [{ id: 'one', work }] },
      { jobs: [{ id: 'one', work }] },
      { name: 'x', jobs: [{ id: 'A', work }] },
      { name: 'x', jobs: [{ id: 'one', work, retry: 11 }] },
      { name: 'x', jobs: [{ id: 'one', wrok: work }] },
      { name: 'x', jobs: [{ id: 'one', work: { type: 'shell' } }] },
      { name: 'x', jobs: [{ id: 'one', work: { type: 'process', command: work } }] },
      { name: 'x', jobs: [{ id: 'one', work }], env: { BATON_X: '' } },
      { name: 'x', jobs: [{ id: 'one', work }], maxParallel: -1 },
      { name: 'x', jobs: [{ id: 'one', work }], extra: 1 },
    ]) {
      expect(isValid(plan), JSON.stringify(plan)).toBe(
        planSchemas().planFile.safeParse(plan).success,
      );
    }
  });

  test(`${cites('PLAN-SCHEMA')} tells an editor about every key`, () => {
    const undescribed = (part: typeof schema, at: string): string[] => {
      const { properties = {}, items, anyOf = [], oneOf = [] } = part;
      return [
        ...Object.entries<typeof schema>(properties).flatMap(([key, inner]) => [
          ...(inner.description ? [] : [`${at}.${key}`]),
          ...undescribed(inner, `${at}.${key}`),
        ]),
        ...[items ?? [], anyOf, oneOf].flat().flatMap((inner) => undescribed(inner, at)),
      ];
    };
    expect(undescribed(schema, 'plan')).toEqual([]);
    expect(schema).not.toHaveProperty('$id');
  });
});
