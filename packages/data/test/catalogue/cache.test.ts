import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type DataService, ENGINE_PACKAGE } from '../service-under-test.ts';
import { DataWorld, idsOf, problemsOf, values } from './data-world.ts';

const FILES = {
  'people.csv': 'id,name,dept\n1,Ann,d1\n2,Bob,d2\n',
  'departments.json': '[{"id":"d1","title":"Engineering"},{"id":"d2","title":"Sales"}]',
  'bad.json': '[{"a":',
};
/** It takes a moment to read these. */
const MANY = `n,text\n${Array.from({ length: 200_000 }, (_, n) => `${n},text ${n % 1000}`).join('\n')}\n`;
const JOINED = 'SELECT p.name FROM people p JOIN departments d ON p.dept = d.id ORDER BY ALL';

/** Files of earlier tests may be younger than the clock's tick: they would be read once more. */
function settled(world: DataWorld): DataService {
  return world.service({ clock: { now: () => Date.now() + 1000, monotonic: () => 0 } });
}

function filesOf(world: DataWorld, ending: RegExp): string[] {
  return readdirSync(world.cache)
    .filter((name) => ending.test(name))
    .map((name) => path.join(world.cache, name));
}

describe('a second start', () => {
  it('reads nothing anew, and needs no engine to describe', async () => {
    using world = new DataWorld({ 'people.csv': FILES['people.csv'] });
    const first = settled(world);
    const described = await first.describe('people');
    const overview = await first.overview();
    const before = readdirSync(world.cache).toSorted();
    const second = world.serviceWithoutProcess();
    expect(await second.overview()).toEqual(overview);
    expect(await second.describe('people')).toEqual(described);
    expect(await second.idsBeginningWith('p')).toEqual(['people']);
    expect(readdirSync(world.cache).toSorted()).toEqual(before);
    await expect(second.query({ sql: JOINED })).rejects.toThrow();
  });

  it('starts no process that the first call does not need', async () => {
    using world = new DataWorld({ 'people.csv': FILES['people.csv'] });
    await settled(world).overview();
    world.killEngines();
    await vi.waitFor(() => expect(world.engines()).toEqual([]));
    const second = world.service();
    await second.overview();
    expect(world.engines()).toEqual([]);
    expect(await values(second, 'SELECT name FROM people')).toEqual(['Ann', 'Bob']);
    expect(world.engines()).toHaveLength(1);
  });

  it('leaves nothing unfinished, and nothing for others to read', async () => {
    using world = new DataWorld(FILES);
    await idsOf(world.service());
    expect(readdirSync(world.cache).filter((name) => !/^[0-9a-f]{32}\.\w+$/.test(name))).toEqual(
      [],
    );
  });
});

describe('damaged files of the cache', () => {
  const damages: Readonly<Record<string, (file: string) => void>> = {
    removed: (file) => rmSync(file),
    cut: (file) => truncateSync(file, Math.floor(readFileSync(file).length / 2)),
    'only zeros': (file) => writeFileSync(file, Buffer.alloc(readFileSync(file).length)),
    'another value': (file) => writeFileSync(file, 'null'),
  };

  for (const ending of [/\.parquet$/, /\.json$/]) {
    it.each(Object.keys(damages))(
      `${ending.source} %s: made anew at the next start`,
      async (what) => {
        using world = new DataWorld(FILES);
        const overview = await settled(world).overview();
        const files = filesOf(world, ending);
        expect(files.length).toBeGreaterThan(1);
        for (const file of files) damages[what]?.(file);
        const service = world.service();
        expect(await service.overview()).toEqual(overview);
        expect(await values(service, JOINED)).toEqual(['Ann', 'Bob']);
      },
    );
  }

  it.each(['removed', 'cut'])('%s while the service runs: made anew', async (what) => {
    using world = new DataWorld(FILES);
    const service = settled(world);
    expect(await values(service, JOINED)).toEqual(['Ann', 'Bob']);
    for (const file of filesOf(world, /./)) damages[what]?.(file);
    expect(await values(service, JOINED)).toEqual(['Ann', 'Bob']);
    expect(await service.search({ text: 'Engineering' })).toMatchObject({ total: 1 });
  });

  it('the whole folder can be removed at any time', async () => {
    using world = new DataWorld(FILES);
    const service = settled(world);
    await service.overview();
    rmSync(world.cache, { recursive: true });
    expect(await values(service, JOINED)).toEqual(['Ann', 'Bob']);
  });
});

describe('several at once', () => {
  it('start from cold on one folder and agree', async () => {
    using world = new DataWorld({ ...FILES, 'many.csv': MANY });
    const services = [world.service(), world.service(), world.service()];
    const all = await Promise.all(services.map((service) => service.overview()));
    expect(all[1]).toEqual(all[0]);
    expect(all[2]).toEqual(all[0]);
    const counts = services.map((service) => values(service, 'SELECT count(*) FROM many'));
    expect(await Promise.all(counts)).toEqual([[200_000], [200_000], [200_000]]);
    expect(filesOf(world, /\.parquet$/)).toHaveLength(3);
    expect(filesOf(world, /^new-/)).toEqual([]);
  });
});

describe('an engine that is killed', () => {
  it('while it reads files is started again, and everything is there', async () => {
    using world = new DataWorld({ ...FILES, 'many.csv': MANY });
    const service = world.service();
    const reading = idsOf(service);
    await vi.waitFor(() => expect(filesOf(world, /^new-.*\.(?:stage|done)$/)).not.toEqual([]), {
      timeout: 20_000,
      interval: 1,
    });
    world.killEngines();
    expect(await reading).toEqual(['departments', 'many', 'people']);
    expect(await values(service, 'SELECT count(*) FROM many')).toEqual([200_000]);
    expect(filesOf(world, /^new-/)).toEqual([]);
  });

  it('while it answers tells so, and the next answer comes', async () => {
    using world = new DataWorld({ 'many.csv': MANY });
    const service = world.service();
    await service.overview();
    const slow = 'SELECT count(*) FROM many a, many b WHERE a.n + b.n = 7';
    const asking = service.query({ sql: slow }).catch((error: unknown) => error);
    await vi.waitFor(() => expect(world.engines()).toHaveLength(1));
    await service.query({ sql: 'SELECT 1' }); // It runs beside the first one.
    world.killEngines();
    expect(await asking).toMatchObject({ code: 'data_engine_crashed' });
    expect(await values(service, 'SELECT count(*) FROM many')).toEqual([200_000]);
  });
});

describe('what cannot work', () => {
  it('a cache folder that cannot be made is told with its path, and used once it can', async () => {
    using world = new DataWorld(FILES);
    mkdirSync(path.dirname(world.cache), { recursive: true });
    writeFileSync(world.cache, 'a file');
    const service = world.service();
    for (const asking of everyWay(service)) {
      await expect(asking()).rejects.toMatchObject({
        code: 'data_cache_unusable',
        message: expect.stringContaining(world.cache),
        next: expect.stringContaining('BATON_STATE'),
      });
    }
    rmSync(world.cache);
    expect(await values(service, JOINED)).toEqual(['Ann', 'Bob']);
  });

  it('an engine that is not installed is told with the command, for everything', async () => {
    using world = new DataWorld(FILES);
    await world.service().overview(); // What is known already does not count.
    const packagesOf = [path.join(world.home, 'package.json')];
    const service = world.service({ packagesOf });
    for (const asking of everyWay(service)) {
      await expect(asking()).rejects.toMatchObject({
        code: 'data_engine_missing',
        message: 'Data needs DuckDB, and it is not installed.',
        next: `A person runs: npm install --prefix "${path.join(world.home, 'state')}" ${ENGINE_PACKAGE}`,
      });
    }
  });

  it('files that cannot be read are told, and harm no others', async () => {
    using world = new DataWorld(FILES);
    const service = world.service();
    expect(await idsOf(service)).toEqual(['departments', 'people']);
    expect((await service.overview()).next).toContain('`baton data check`');
    expect(await problemsOf(service)).toEqual([
      expect.stringMatching(/^data\/bad\.json:1 error: This is not JSON that can be read: /),
    ]);
  });
});

function everyWay(service: DataService): (() => Promise<unknown>)[] {
  return [
    () => service.overview(),
    () => service.describe('people'),
    () => service.search({ category: 'people' }),
    () => service.query({ sql: 'SELECT 1' }),
    () => service.insights({ category: 'people', limit: 5 }),
    () => service.check(),
    () => service.read(undefined),
    () => service.read('people'),
    () => service.idsBeginningWith(''),
    () => service.watch('people', () => {}),
  ];
}
