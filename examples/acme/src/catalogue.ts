import acmeProducts from '../data/products.json' with { type: 'json' };
import { OrderError } from './errors.ts';
import type { PriceTable } from './money.ts';

export interface Product {
  readonly sku: string;
  readonly name: string;
  readonly weightGrams: number;
  readonly price: PriceTable;
  readonly stock: number;
}

export interface Catalogue {
  readonly products: readonly Product[];
  find(sku: string): Product;
}

export function createCatalogue(products: readonly Product[]): Catalogue {
  const bySku = new Map(products.map((product) => [product.sku, product]));
  return {
    products,
    find(sku) {
      const product = bySku.get(sku);
      if (!product) {
        const known = [...bySku.keys()].join(', ');
        throw new OrderError('UNKNOWN_PRODUCT', `No product ${sku}. Acme sells: ${known}.`);
      }
      return product;
    },
  };
}

export const acmeCatalogue = createCatalogue(acmeProducts);
