import { seeded, times } from '../make-tables.ts';
import type { TestCatalogue } from './catalogue.ts';

const { between, one, some } = seeded(44);
const padded = (number: number, digits: number) => String(number).padStart(digits, '0');
const date = () => `2025${padded(between(1, 12), 2)}${padded(between(1, 28), 2)}`;

const T005 = ['DE', 'AT', 'CH', 'NL', 'BE', 'PL'].map((LAND1, at) => ({
  LAND1,
  LANDX: `Land ${at}`,
}));
const KNA1 = times(40, (n) => ({
  KUNNR: padded(100_000 + n, 10),
  NAME1: `Kunde ${n}`,
  LAND1: one(T005).LAND1,
  PSTLZ: padded(between(1, 99_999), 5),
}));
const LFA1 = times(12, (n) => ({
  LIFNR: padded(500_000 + n, 10),
  NAME1: `Lieferant ${n}`,
  LAND1: one(T005).LAND1,
}));
const MARA = times(60, (n) => ({
  MATNR: padded(9000 + n * 3, 18),
  MTART: one(['FERT', 'ROH']),
  BRGEW: n / 4,
}));
const MAKT = MARA.flatMap(({ MATNR }) =>
  ['D', 'E'].map((SPRAS) => ({ MATNR, SPRAS, MAKTX: `Text ${SPRAS} ${MATNR}` })),
);
const VBAK = times(110, (n) => ({
  VBELN: padded(5_000_000 + n, 10),
  ERDAT: date(),
  KUNNR: one(KNA1).KUNNR,
  NETWR: between(100, 90_000) / 100,
}));
const VBAP = VBAK.flatMap(({ VBELN }) =>
  some(MARA, between(1, 4)).map(({ MATNR }, at) => ({
    VBELN,
    POSNR: padded((at + 1) * 10, 6),
    MATNR,
    KWMENG: between(1, 50),
  })),
);
const EKKO = times(50, (n) => ({
  EBELN: padded(4_500_000_000 + n, 10),
  LIFNR: one(LFA1).LIFNR,
  BEDAT: date(),
}));
const EKPO = EKKO.flatMap(({ EBELN }) =>
  some(MARA, between(1, 3)).map(({ MATNR }, at) => ({
    EBELN,
    EBELP: padded((at + 1) * 10, 5),
    MATNR,
    MENGE: between(1, 90),
  })),
);

export const erp: TestCatalogue = {
  tables: { T005, KNA1, LFA1, MARA, MAKT, VBAK, VBAP, EKKO, EKPO },
  keys: {
    T005: 'LAND1',
    KNA1: 'KUNNR',
    LFA1: 'LIFNR',
    MARA: 'MATNR',
    MAKT: 'MATNR + SPRAS',
    VBAK: 'VBELN',
    VBAP: 'VBELN + POSNR',
    EKKO: 'EBELN',
    EKPO: 'EBELN + EBELP',
  },
  labels: { KNA1: 'NAME1', LFA1: 'NAME1', MAKT: 'MAKTX' },
  relations: [
    'KNA1.LAND1 → T005.LAND1',
    'LFA1.LAND1 → T005.LAND1',
    'MAKT.MATNR → MARA.MATNR',
    'VBAK.KUNNR → KNA1.KUNNR',
    'VBAP.VBELN → VBAK.VBELN',
    'VBAP.MATNR → MARA.MATNR',
    'EKKO.LIFNR → LFA1.LIFNR',
    'EKPO.EBELN → EKKO.EBELN',
    'EKPO.MATNR → MARA.MATNR',
  ],
};
