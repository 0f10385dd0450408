import { OrderError } from './errors.ts';

export const currencies = ['EUR', 'USD'] as const;
export type Currency = (typeof currencies)[number];

export interface Money {
  readonly cents: number;
  readonly currency: Currency;
}

/** One amount of cents per currency: Acme sets its dollar prices by hand, it does not convert. */
export type PriceTable = Readonly<Record<Currency, number>>;

export function money(cents: number, currency: Currency): Money {
  if (!Number.isSafeInteger(cents)) {
    throw new OrderError('INVALID_AMOUNT', `${cents} is not a whole number of cents.`);
  }
  return { cents, currency };
}

export function priceIn(table: PriceTable, currency: Currency): Money {
  return money(table[currency], currency);
}

export function add(left: Money, right: Money): Money {
  requireSameCurrency(left, right);
  return money(left.cents + right.cents, left.currency);
}

export function subtract(left: Money, right: Money): Money {
  requireSameCurrency(left, right);
  return money(left.cents - right.cents, left.currency);
}

export function multiply(amount: Money, factor: number): Money {
  return money(amount.cents * factor, amount.currency);
}

export function percentOf(amount: Money, percent: number): Money {
  return money(Math.round((amount.cents * percent) / 100), amount.currency);
}

export function sum(amounts: readonly Money[], currency: Currency): Money {
  return amounts.reduce(add, money(0, currency));
}

export function format(amount: Money): string {
  // A fixed locale: an invoice must read the same on every machine.
  const formatter = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: amount.currency,
  });
  return formatter.format(amount.cents / 100);
}

function requireSameCurrency(left: Money, right: Money): void {
  if (left.currency !== right.currency) {
    throw new OrderError(
      'CURRENCY_MISMATCH',
      `Cannot combine ${left.currency} with ${right.currency}.`,
    );
  }
}
