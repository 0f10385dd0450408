import { seeded, times } from '../make-tables.ts';
import type { TestCatalogue } from './catalogue.ts';

const { between, one, some, next } = seeded(4);
const padded = (number: number, digits: number) => String(number).padStart(digits, '0');

const KUNDEN = times(50, (n) => ({
  KDNR: padded(n, 6),
  NAME1: `Firma ${n} GmbH`,
  PLZ: padded(between(1, 99_999), 5),
  VERTRNR: padded(between(1, 8), 3),
  KZSPERR: one(['J', 'N']),
}));
const VERTRETER = times(8, (n) => ({
  VERTRNR: padded(n, 3),
  NAME: `Vertreter ${n}`,
  PROVSATZ: n / 2,
}));
const ARTIKEL = times(70, (n) => ({
  ARTNR: padded(n, 6),
  BEZ: `Artikel mit der Nummer ${n}`,
  LIEFNR: padded(between(1, 15), 6),
  VKPREIS: between(100, 90_000) / 100,
  BESTAND: between(0, 500),
}));
const LIEFERANT = times(15, (n) => ({
  LIEF_NR: padded(n, 6),
  NAME1: `Lieferant ${n} AG`,
  ORT: one(['Ulm', 'Bonn', 'Jena']),
}));
const AUFTRAG = times(160, (n) => ({
  AUFTRNR: padded(n, 8),
  KDNR: padded(between(1, 50), 6),
  DATUM: 20_250_000 + between(1, 12) * 100 + between(1, 28),
  STATUS: between(1, 4),
  NETTO: between(100, 900_000) / 100,
}));
const AUFPOS = AUFTRAG.flatMap(({ AUFTRNR }) =>
  some(ARTIKEL, between(1, 5)).map(({ ARTNR }, at) => ({
    AUFTRNR,
    POSNR: at + 1,
    ARTNR,
    MENGE: between(1, 40),
    EPREIS: between(100, 90_000) / 100,
  })),
);
const CUSTOMER_EXT = KUNDEN.filter(() => next() < 0.5).map(({ KDNR }) => ({
  KD_NR: KDNR,
  CREDIT_LIMIT: between(1, 50) * 1000,
  DUNNING: between(0, 3),
}));

export const legacy: TestCatalogue = {
  tables: { KUNDEN, VERTRETER, ARTIKEL, LIEFERANT, AUFTRAG, AUFPOS, CUSTOMER_EXT },
  keys: {
    KUNDEN: 'KDNR',
    VERTRETER: 'VERTRNR',
    ARTIKEL: 'ARTNR',
    LIEFERANT: 'LIEF_NR',
    AUFTRAG: 'AUFTRNR',
    AUFPOS: 'AUFTRNR + POSNR',
    CUSTOMER_EXT: 'KD_NR',
  },
  labels: { KUNDEN: 'NAME1', VERTRETER: 'NAME', LIEFERANT: 'NAME1' },
  relations: [
    'KUNDEN.VERTRNR → VERTRETER.VERTRNR',
    'ARTIKEL.LIEFNR → LIEFERANT.LIEF_NR',
    'AUFTRAG.KDNR → KUNDEN.KDNR',
    'AUFPOS.AUFTRNR → AUFTRAG.AUFTRNR',
    'AUFPOS.ARTNR → ARTIKEL.ARTNR',
    'CUSTOMER_EXT.KD_NR → KUNDEN.KDNR',
  ],
};
