import { expect, test } from 'vitest';
import { readName } from '../inference-under-test.ts';

test.each([
  ['department_id', 'id', 'department'],
  ['departmentIds', 'id', 'department'],
  ['DepartmentID', 'id', 'department'],
  ['Department ID', 'id', 'department'],
  ['fk_department', 'id', 'department'],
  ['id_cliente', 'id', 'cliente'],
  ['homeDepartmentCode', 'code', 'home department'],
  ['CUST_NO', 'code', 'cust'],
  ['CUSTNO', 'code', 'cust'],
  ['KDNR', 'code', 'kd'],
  ['companyPolicyRefs', 'code', 'company policy'],
  ['customer_id_2', 'id', 'customer'],
  ['author2', undefined, 'author'],
  ['id', 'id', ''],
  ['sku', 'code', ''],
  ['full_name', 'name', ''],
  ['department_name', 'name', 'department'],
  ['tags', undefined, 'tag'],
  ['paid', undefined, 'paid'],
  ['Straße', undefined, 'straße'],
  ['', undefined, ''],
  ['1', undefined, '1'],
])('%j is read', (name, mark, stem) => {
  const read = readName(name);
  expect({ mark: read.mark, stem: read.stem.join(' ') }).toEqual({ mark, stem });
});

test('what counts within something, and ways to reach somebody, are told from ids', () => {
  expect(readName('line_no').isSequence).toBe(true);
  expect(readName('POSNR').isSequence).toBe(true);
  expect(readName('order_no').isSequence).toBeUndefined();
  expect(readName('zip_code').isContact).toBe(true);
  expect(readName('phone number').isContact).toBe(true);
  expect(readName('id').isGeneric).toBe(true);
  expect(readName('isbn').isGeneric).toBeUndefined();
});
