import { describe, expect, it } from 'vitest';
import { newId } from '../messages/index.js';
import { EventBytes, EventText, type EventId, type StoredRecord } from '../storage/index.js';
import { digestOf } from './event-digest.js';
import { EventDigests } from './event-digests.js';
import { hashBytes } from './hashing/hash-batch.js';

const base: StoredRecord = {
  id: newId(),
  streamId: newId(),
  position: 0,
  sequence: 17,
  transaction: 801,
  type: 'shop.OrderPlaced',
  timestamp: 1_790_000_000_000,
  correlationId: newId(),
  causationId: null,
  scope: { userId: 'ü', tenantId: 't' },
  metadata: {},
  body: '{"total":"12.50","count":9007199254740993}',
};

const at = (sequence: number): StoredRecord => ({ ...base, sequence });

const records: readonly StoredRecord[] = [
  base,
  { ...base, causationId: newId(), scope: null },
  { ...base, type: 'shop."Order"\\Placed\u0001' },
  { ...base, type: 'geschäft.Bestellung€😀' },
  { ...base, type: 'svc.LogSealed' },
  { ...base, metadata: { b: [1, { d: 1e21, c: 'x' }], a: '\ud800', '€': 1e20 } },
  { ...base, scope: { tenantId: 'other' } },
  { ...base, body: `"${'é'.repeat(900)}"` },
  { ...base, body: '' },
  ...[0, 9, 10, 9_999_999, 10_000_000, 99_999_999_999_999, 1e14, 2 ** 53 - 1].map(at),
  { ...base, sequence: -7, position: 1_000_000, timestamp: 0, transaction: 2 ** 40 },
  // More than one group.
  ...Array.from({ length: 600 }, (_, position) => ({ ...base, id: newId(), position, body: `"${position}"` })),
];

function withoutKey(record: StoredRecord): StoredRecord {
  const { transaction: _, ...rest } = record;
  return rest;
}

function bytesOf(all: readonly StoredRecord[], transactions: boolean): EventBytes {
  const page = new EventBytes(all.length, { transactions });
  for (const record of all) {
    const { sequence, transaction = 0, position, timestamp } = record;
    const i = page.begin(sequence, transaction, position, timestamp);
    const ids = [record.id, record.streamId, record.correlationId, record.causationId];
    ids.forEach((id, kind) => page.ids.write(id?.replaceAll('-', '') ?? '', page.placeOfId(i, kind as EventId), 'hex'));
    if (record.causationId !== null) page.setHasCause(i);
    const scope = record.scope === null ? '' : JSON.stringify(record.scope);
    [record.body, scope, JSON.stringify(record.metadata), record.type].forEach((text, kind) => {
      const start = page.append(Buffer.from(text));
      page.setText(i, kind as EventText, start, start + Buffer.byteLength(text));
    });
  }
  return page;
}

describe('digests of a page', () => {
  const withoutTransaction: readonly StoredRecord[] = records.map((record) => withoutKey(record));
  it.each([
    ['records', records, { records }],
    ['bytes', records, { bytes: bytesOf(records, true) }],
    ['records of a log without transactions', withoutTransaction, { records: withoutTransaction }],
    ['bytes of a log without transactions', withoutTransaction, { bytes: bytesOf(records, false) }],
  ])('of %s are those of the single events', (_, events, page) => {
    const digests = new EventDigests(page);
    expect(digests.count).toBe(events.length);
    events.forEach((record, i) => {
      const { leaf, body } = digestOf(record);
      expect(digests.bodies.toString('hex', i * hashBytes, (i + 1) * hashBytes)).toBe(body);
      expect([i, digests.leaves.toString('hex', i * hashBytes, (i + 1) * hashBytes)]).toEqual([
        i,
        leaf.toString('hex'),
      ]);
      expect(digests.idAt(i)).toBe(record.id);
      expect(digests.bodyAt(i)).toBe(record.body);
      const { sequence, transaction } = record;
      expect(digests.placeAt(i)).toMatchObject({ sequence, ...(transaction !== undefined && { transaction }) });
    });
    expect(digests.reports).toEqual([4]);
  });

  it('cannot be computed of metadata that are not JSON', () => {
    const page = bytesOf([base], true);
    const start = page.append(Buffer.from('{"a":'));
    page.setText(0, EventText.Metadata, start, start + 5);
    expect(() => new EventDigests({ bytes: page })).toThrow(SyntaxError);
    expect(new EventDigests({ records: [base] }).leaves.equals(digestOf(base).leaf), 'the next page can').toBe(true);
  });
});
