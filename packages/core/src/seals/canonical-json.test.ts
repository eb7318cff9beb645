import { describe, expect, it } from 'vitest';
import { newId } from '../messages/index.js';
import type { StoredRecord } from '../storage/index.js';
import { canonicalText } from './canonical-json.js';
import { canonicalForm, digestOf } from './event-digest.js';

describe('canonical JSON', () => {
  it('writes the example of RFC 8785 as the RFC does', () => {
    const value = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    ) as unknown;
    expect(canonicalText(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts keys by UTF-16 code units', () => {
    const value = { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 };
    expect(Object.keys(JSON.parse(canonicalText(value)) as object)).toHaveLength(7);
    expect(canonicalText(value)).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}');
  });
});

describe('canonical form of an event', () => {
  const record: StoredRecord = {
    id: newId(),
    streamId: newId(),
    position: 3,
    sequence: 17,
    transaction: 801,
    type: 'shop."Order"Placed',
    timestamp: 1_790_000_000_000,
    correlationId: newId(),
    causationId: null,
    scope: { tenantId: 't', userId: 'ü' },
    metadata: { b: [1, { d: 1, c: 2 }], a: 'x' },
    body: '{"total":"12.50","count":9007199254740993}',
  };

  it('is canonical JSON of its properties, with the digest of the body', () => {
    const { body } = digestOf(record);
    const expected = canonicalText({ ...record, body });
    expect(canonicalForm(record, body)).toBe(expected);
    const { transaction: _, ...onSqlite } = { ...record, metadata: {}, scope: null, causationId: newId() };
    expect(canonicalForm(onSqlite, body)).toBe(canonicalText({ ...onSqlite, body, transaction: null }));
  });

  it('has another digest for every change, also of digits that a number cannot hold', () => {
    const changes: Partial<StoredRecord>[] = [
      { id: newId() },
      { streamId: newId() },
      { position: 4 },
      { sequence: 18 },
      { transaction: 802 },
      { type: 'shop.OrderPlaced' },
      { timestamp: 1_790_000_000_001 },
      { correlationId: newId() },
      { causationId: newId() },
      { scope: null },
      { metadata: {} },
      { body: '{"total":"12.50","count":9007199254740992}' },
      { body: '{"total":"12.50","count":9007199254740993} ' },
    ];
    const digests = [record, ...changes.map((change) => ({ ...record, ...change }))].map((one) =>
      digestOf(one).leaf.toString('hex'),
    );
    expect(new Set(digests).size).toBe(changes.length + 1);
  });
});
