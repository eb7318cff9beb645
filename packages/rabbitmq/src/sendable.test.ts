import { expect, it } from 'vitest';
import type { Outbound } from './outbound.js';
import { unsendableOf } from './sendable.js';

const connection = { connection: { frameMax: 131_072 } } as never;
const withHeaders = (headers: object): Outbound => ({
  exchange: 'shop',
  exchangeType: 'topic',
  routingKey: 'shop.OrderPlaced',
  content: Buffer.from('{}'),
  options: { headers },
});
const nested = (levels: number): object => {
  let table: object = {};
  for (let i = 0; i < levels; i++) table = { x: table };
  return table;
};

it.each([
  [0, null],
  [90, null],
  [200, 'TooLarge'],
  [100_000, 'TooLarge'],
])('counts headers nested %i levels deep without recursing further than the client can: %s', (levels, reason) => {
  const message = withHeaders(nested(levels));
  const unsendable = unsendableOf([message], connection);
  expect(unsendable?.reason ?? null).toBe(reason);
  if (unsendable !== null) expect(unsendable.messages).toEqual([message]);
});
