import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { EventBytes, EventId, EventText, idBytes } from './log-page.js';

/** How many bytes of texts there is room for at first, for each event. */
const bytesPerEvent = 512;
const { Body, Scope, Metadata, Type } = EventText;

describe('the events of a page', () => {
  it('have the numbers with which they were added', () => {
    const page = new EventBytes(2, { transactions: true });
    expect(page.count).toBe(0);
    expect([page.begin(17, 801, 3, 1_700_000_000_123), page.begin(2 ** 53 - 1, 802, 0, 0)]).toEqual([0, 1]);
    expect(page.count).toBe(2);
    expect([...page.sequences]).toEqual([17, 2 ** 53 - 1]);
    expect([...page.transactions!]).toEqual([801, 802]);
    expect([...page.positions]).toEqual([3, 0]);
    expect([...page.timestamps]).toEqual([1_700_000_000_123, 0]);
  });

  it('have no transactions in a log that is ordered by sequence numbers', () => {
    const page = new EventBytes(1, { transactions: false });
    expect(page.begin(17, 0, 3, 0)).toBe(0);
    expect(page.transactions).toBeNull();
    expect(page.sequences[0]).toBe(17);
  });

  it('have room for as many as the page was made for', () => {
    const page = new EventBytes(3, { transactions: true });
    const lengths = [page.sequences, page.transactions!, page.positions, page.timestamps].map(({ length }) => length);
    expect(lengths).toEqual([3, 3, 3, 3]);
    expect(page.ids).toHaveLength(3 * 4 * idBytes);
    expect(page.content).toHaveLength(3 * bytesPerEvent);
  });
});

describe('the texts of an event', () => {
  it('are parts of the content of its page', () => {
    const page = new EventBytes(2, { transactions: false });
    const written = [
      ['{"a":"ü€😀"}', '', '{}', 'test.One'],
      ['', '{"tenantId":"a"}', '{"b":1}', 'test.Two'],
    ];
    for (const texts of written) {
      const index = page.begin(0, 0, 0, 0);
      texts.forEach((text, kind) => {
        const start = page.append(Buffer.from(text));
        page.setText(index, kind as EventText, start, start + Buffer.byteLength(text));
      });
    }
    const kinds = [Body, Scope, Metadata, Type];
    expect(written.map((_, index) => kinds.map((kind) => page.textOf(index, kind)))).toEqual(written);
    expect([page.startOf(0, Body), page.endOf(0, Body)]).toEqual([0, Buffer.byteLength(written[0]![0]!)]);
    expect([page.startOf(0, Scope), page.endOf(0, Scope)]).toEqual([page.endOf(0, Body), page.endOf(0, Body)]);
    expect(page.content.toString('utf8', 0, page.endOf(0, Body))).toBe(written[0]![0]);
  });

  it('may be parts of a content that the database has returned', () => {
    const content = Buffer.from('xx{"a":1}yy');
    const page = new EventBytes(1, { transactions: false, content });
    expect(page.content).toBe(content);
    page.setText(page.begin(0, 0, 0, 0), Body, 2, 9);
    expect(page.textOf(0, Body)).toBe('{"a":1}');
  });
});

describe('the content of a page', () => {
  it('is as large as at first until it is full', () => {
    const page = new EventBytes(1, { transactions: false });
    const { content } = page;
    expect(page.append(randomBytes(bytesPerEvent - 1))).toBe(0);
    expect(page.append(randomBytes(1))).toBe(bytesPerEvent - 1);
    expect(page.content).toBe(content);
  });

  it('grows to twice its size, and has everything that was added before', () => {
    const page = new EventBytes(1, { transactions: false });
    const [first, second] = [randomBytes(bytesPerEvent), randomBytes(3)];
    expect([page.append(first), page.append(second)]).toEqual([0, bytesPerEvent]);
    expect(page.content).toHaveLength(2 * bytesPerEvent);
    expect(page.content.subarray(0, bytesPerEvent + 3)).toEqual(Buffer.concat([first, second]));
  });

  it('grows to the size of a large text', () => {
    const page = new EventBytes(1, { transactions: false });
    const [first, large, last] = [randomBytes(10), randomBytes(5_000), randomBytes(5_011)];
    expect([page.append(first), page.append(large)]).toEqual([0, 10]);
    expect(page.content).toHaveLength(5_010);
    expect(page.append(last)).toBe(5_010);
    expect(page.content).toHaveLength(10_021);
    expect(page.content).toEqual(Buffer.concat([first, large, last]));
  });
});

describe('the ids of an event', () => {
  it('have places of their own', () => {
    const page = new EventBytes(3, { transactions: false });
    const kinds = [EventId.Id, EventId.Stream, EventId.Correlation, EventId.Causation];
    const ids = [0, 1, 2].map(() => kinds.map(() => randomBytes(idBytes)));
    ids.forEach((own, index) => own.forEach((id, kind) => id.copy(page.ids, page.placeOfId(index, kinds[kind]!))));
    expect(page.ids).toEqual(Buffer.concat(ids.flat()));
    expect(page.placeOfId(2, EventId.Causation)).toBe(11 * idBytes);
  });

  it('have a cause only where one was set', () => {
    const page = new EventBytes(3, { transactions: false });
    page.setHasCause(1);
    expect([0, 1, 2].map((index) => page.hasCause(index))).toEqual([false, true, false]);
  });
});
