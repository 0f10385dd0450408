import {
  add,
  type Currency,
  type Money,
  money,
  multiply,
  type PriceTable,
  priceIn,
} from './money.ts';

export const shippingZones = ['domestic', 'eu', 'world'] as const;
export type ShippingZone = (typeof shippingZones)[number];

interface ShippingRate {
  readonly base: PriceTable;
  readonly perKilogram: PriceTable;
  readonly pallet: PriceTable;
}

// Parcel carriers refuse anything heavier, so it travels on a pallet.
const PARCEL_LIMIT_GRAMS = 70_000;

const rates: Readonly<Record<ShippingZone, ShippingRate>> = {
  domestic: {
    base: { EUR: 490, USD: 540 },
    perKilogram: { EUR: 60, USD: 65 },
    pallet: { EUR: 4500, USD: 4900 },
  },
  eu: {
    base: { EUR: 1190, USD: 1300 },
    perKilogram: { EUR: 140, USD: 155 },
    pallet: { EUR: 9000, USD: 9900 },
  },
  world: {
    base: { EUR: 2900, USD: 3200 },
    perKilogram: { EUR: 420, USD: 460 },
    pallet: { EUR: 24000, USD: 26000 },
  },
};

export function shippingCost(weightGrams: number, zone: ShippingZone, currency: Currency): Money {
  if (weightGrams === 0) return money(0, currency);
  const { base, perKilogram, pallet } = rates[zone];
  const startedKilograms = Math.ceil(weightGrams / 1000);
  const byWeight = multiply(priceIn(perKilogram, currency), startedKilograms);
  const parcel = add(priceIn(base, currency), byWeight);
  return weightGrams > PARCEL_LIMIT_GRAMS ? add(parcel, priceIn(pallet, currency)) : parcel;
}
