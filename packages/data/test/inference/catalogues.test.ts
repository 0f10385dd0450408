import { cites } from '@baton/e2e/requirements';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Engine, type Inference, infer, quoteName } from '../inference-under-test.ts';
import { createTestEngine } from '../test-engine.ts';
import { airline } from './catalogues/airline.ts';
import type { TestCatalogue } from './catalogues/catalogue.ts';
import { clinic } from './catalogues/clinic.ts';
import { energy } from './catalogues/energy.ts';
import { erp } from './catalogues/erp.ts';
import { films } from './catalogues/films.ts';
import { forge } from './catalogues/forge.ts';
import { freight } from './catalogues/freight.ts';
import { hotel } from './catalogues/hotel.ts';
import { insurance } from './catalogues/insurance.ts';
import { league } from './catalogues/league.ts';
import { legacy } from './catalogues/legacy.ts';
import { library } from './catalogues/library.ts';
import { music } from './catalogues/music.ts';
import { plant } from './catalogues/plant.ts';
import { rentals } from './catalogues/rentals.ts';
import { school } from './catalogues/school.ts';
import { shop } from './catalogues/shop.ts';
import { staff } from './catalogues/staff.ts';
import { tienda } from './catalogues/tienda.ts';
import { town } from './catalogues/town.ts';
import { tracker } from './catalogues/tracker.ts';
import { unrelated } from './catalogues/unrelated.ts';
import { warehouse } from './catalogues/warehouse.ts';
import { makeTable } from './make-tables.ts';

let place: ReturnType<typeof createTestEngine>;
beforeAll(() => {
  place = createTestEngine();
});
afterAll(() => place[Symbol.asyncDispose]());

async function inferFrom(engine: Engine, { tables }: TestCatalogue): Promise<Inference> {
  const facts = [];
  for (const [table, records] of Object.entries(tables)) {
    await engine.run(`DROP TABLE IF EXISTS ${quoteName(table)}`);
    facts.push(await makeTable(engine, table, records));
  }
  return infer(facts, engine);
}

function summary({ tables, relations }: Inference) {
  const all = [...tables];
  const labelled = all.filter(([, { labels }]) => labels.length > 0);
  return {
    keys: Object.fromEntries(all.map(([id, { key }]) => [id, key.join(' + ')])),
    labels: Object.fromEntries(labelled.map(([id, { labels }]) => [id, labels[0]])),
    relations: relations
      .map(({ from, field, to, toField, cardinality }) => {
        const arrow = cardinality === 'many' ? '*→' : '→';
        return `${from}.${field} ${arrow} ${to}.${toField}`;
      })
      .sort(),
    links: all.filter(([, { isLink }]) => isLink).map(([id]) => id),
  };
}

test.each([
  ['a shop in snake_case', shop],
  ['an HR system in PascalCase', staff],
  ['a clinic in camelCase with UUIDs and lists', clinic],
  ['terse names and padded numbers', legacy],
  ['a school with keys of several fields', school],
  ['a library', library],
  ['an airline', airline],
  ['an issue tracker with serial ids', tracker],
  ['a data warehouse', warehouse],
  ['a shop in Spanish', tienda],
  ['a plant', plant],
  ['open data of a town', town],
  ['a hotel', hotel],
  ['an energy supplier', energy],
  ['a league', league],
  ['an ERP system with names of five letters', erp],
  ['a forge with logins and hashes', forge],
  ['a shop that lends films', rentals],
  ['films with codes of letters and digits', films],
  ['a music shop', music],
  ['freight, with blanks in names', freight],
  ['an insurance company', insurance],
  ['tables that have nothing to do with each other', unrelated],
])(
  `${cites('DATA-INFERENCE')} keys and relations of %s are found, and no others`,
  async (_, catalogue) => {
    const inference = await inferFrom(place.engine, catalogue);
    const { keys, labels, relations, links = [] } = catalogue;
    expect(summary(inference)).toEqual({ keys, labels, relations: [...relations].sort(), links });
    expect(inference.misfits).toEqual([]);
  },
);
