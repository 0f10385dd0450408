import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acmeCatalogue, moveTo, renderInvoice } from '../src/index.ts';
import { emptyOrder, tradeOrder, withLines } from './sample-orders.ts';

test('an invoice lists the lines, the discount, the shipping and the total', () => {
  const draft = withLines(tradeOrder, ['SPR-010', 20], ['ANV-015', 2]);
  const invoice = renderInvoice(moveTo(draft, 'placed', acmeCatalogue), acmeCatalogue);
  assert.equal(
    invoice,
    `
ACME SPRINGS & ANVILS                                    INVOICE T-1
                                                          2026-02-03
Bill to:
  Ida Ferrum, Smith
  Forge Lane 2
  8010 Graz
--------------------------------------------------------------------
SKU     Description                      Qty        Unit      Amount
--------------------------------------------------------------------
SPR-010 Compression spring 10 mm          20       €2.40      €48.00
ANV-015 Bench anvil 15 kg                  2     €189.00     €378.00
--------------------------------------------------------------------
Goods                                                        €426.00
Trade customer 5%                                            -€21.30
Shipping (domestic)                                           €23.50
Total                                                        €428.20

All prices are net of VAT. Payable within 30 days.`.trimStart(),
  );
});

test('an invoice without discount has no line for it', () => {
  const placed = moveTo(withLines(emptyOrder, ['SPR-010', 1]), 'placed', acmeCatalogue);
  assert.doesNotMatch(renderInvoice(placed, acmeCatalogue), /%/);
});

test('drafts and cancelled orders have no invoice', () => {
  const cancelled = moveTo(emptyOrder, 'cancelled', acmeCatalogue);
  assert.throws(() => renderInvoice(emptyOrder, acmeCatalogue), { code: 'NOT_INVOICEABLE' });
  assert.throws(() => renderInvoice(cancelled, acmeCatalogue), { code: 'NOT_INVOICEABLE' });
});
