import { expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import { PlanWorld } from './plan-world.ts';
import { until } from './until.ts';

test(`${cites('PLAN-RESOURCES', 'RESOURCES-SUBSCRIBE')} whoever subscribes to a plan or to the output of a job hears of it`, async () => {
  await using world = new PlanWorld();
  const server = world.server('auto');
  const { program } = server;
  await program.request('hello', 'initialize', { protocolVersion: '2025-06-18' });
  program.send({ method: 'notifications/initialized' });
  const plan = await server.create({
    jobs: [
      {
        id: 'talk',
        work: 'while [ ! -e open ]; do sleep 0.05; done; echo first; while [ ! -e more ]; do sleep 0.05; done; echo second',
      },
    ],
  });
  await server.running(plan, 1);
  const uris = { plan: `baton://plan/${plan}`, log: `baton://plan/${plan}/job/talk/log` };
  for (const uri of Object.values(uris)) {
    expect(await program.request(uri, 'resources/subscribe', { uri })).toHaveProperty('result');
  }
  const read = async (id: string, uri: string) =>
    (await program.request(id, 'resources/read', { uri })).result.contents[0].text;
  const heard = (uri: string) =>
    program.replies.filter(
      ({ method, params }) => method?.endsWith('updated') && params.uri === uri,
    ).length;
  expect(await read('r1', uris.log)).toBe('');
  await program.until('the start of the watch', () => heard(uris.log) > 0);
  await program.until('the start of the other', () => heard(uris.plan) > 0);
  const early = heard(uris.plan);
  for (const [file, output] of [
    ['open', 'first\n'],
    ['more', 'first\nsecond\n'],
  ] as const) {
    const before = heard(uris.log);
    world.write(file, '');
    await program.until(`news of ${output}`, () => heard(uris.log) > before);
    let reads = 0;
    await until(`the output ${output}`, async () => {
      reads += 1;
      return (await read(`${file} ${reads}`, uris.log)) === output;
    });
  }
  await server.ended(plan);
  await program.until('news of the end', () => heard(uris.plan) > early);
  expect(await read('end', uris.plan)).toContain('state: succeeded');
  const templates = await program.request('t', 'completion/complete', {
    ref: { type: 'ref/resource', uri: 'baton://plan/{id}' },
    argument: { name: 'id', value: plan.slice(0, 6) },
  });
  expect(templates.result.completion.values).toEqual([plan]);
  const unknown = await program.request('u', 'resources/read', { uri: 'baton://plan/nothing' });
  expect(unknown.error).toMatchObject({ code: -32602 });
});
