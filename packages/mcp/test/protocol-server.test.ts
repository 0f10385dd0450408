import { Server } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';

// ProtocolServer calls these by name, past the SDK's second look at what has been checked.
// An upgrade that renames one must fail here and not in somebody's session.
test('the SDK still has the methods that ProtocolServer relies on', () => {
  const relied = [
    '_onrequest',
    '_onresponse',
    '_onnotification',
    '_wrapHandler',
    '_oninitialize',
    '_invokeInputRequiredCapableHandler',
  ];
  let prototype: object | null = Server.prototype;
  const found = new Set<string>();
  while (prototype) {
    for (const name of Object.getOwnPropertyNames(prototype)) found.add(name);
    prototype = Object.getPrototypeOf(prototype);
  }
  expect(relied.filter((name) => !found.has(name))).toEqual([]);
});
