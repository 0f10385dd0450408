export { acmeCatalogue, type Catalogue, createCatalogue, type Product } from './catalogue.ts';
export { bestDiscount, type Discount } from './discounts.ts';
export { OrderError, type OrderErrorCode } from './errors.ts';
export { renderInvoice } from './invoice.ts';
export { type Currency, format, type Money, money } from './money.ts';
export {
  addLine,
  type Customer,
  canMove,
  createOrder,
  moveTo,
  type Order,
  type OrderLine,
  type OrderState,
  orderStates,
  subtotal,
} from './order.ts';
export { createOrdersRepository, type OrdersRepository } from './orders-repository.ts';
export { type ShippingZone, shippingCost } from './shipping.ts';
export { type OrderTotals, orderTotals, orderWeight } from './totals.ts';
