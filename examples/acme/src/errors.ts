export type OrderErrorCode =
  | 'CURRENCY_MISMATCH'
  | 'EMPTY_ORDER'
  | 'ILLEGAL_TRANSITION'
  | 'INVALID_AMOUNT'
  | 'INVALID_FILE'
  | 'INVALID_MONTH'
  | 'INVALID_QUANTITY'
  | 'NOT_INVOICEABLE'
  | 'ORDER_LOCKED'
  | 'OUT_OF_STOCK'
  | 'UNKNOWN_ORDER'
  | 'UNKNOWN_PRODUCT';

export class OrderError extends Error {
  override readonly name = 'OrderError';
  readonly code: OrderErrorCode;

  constructor(code: OrderErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
