import { beforeEach, describe, expect, it } from 'vitest';
import type { Uuid } from '../json/index.js';
import { MessageRegistry, newId, wrap, type MessageEnvelope } from '../messages/index.js';
import { around, EventLog, InMemoryStorage, type StreamStart } from '../storage/index.js';
import { UnitOfWork, type UnitLog } from './unit-of-work.js';

class Happened {}
const messages = new MessageRegistry([
  { type: 'test.Happened', kind: 'event', class: Happened, read: () => new Happened(), write: JSON.stringify },
]);
const happened = () => wrap('test.Happened', new Happened());

let log: EventLog;
let streamId: Uuid;

beforeEach(() => {
  log = new EventLog(new InMemoryStorage(), messages);
  streamId = newId();
});

const unitOf = (parent: UnitOfWork | null = null, from: UnitLog = log): UnitOfWork =>
  new UnitOfWork(from, parent, null);

/** Another command appends events. */
async function store(...envelopes: MessageEnvelope[]): Promise<void> {
  const unit = unitOf();
  for (const envelope of envelopes) unit.append(streamId, envelope);
  await unit.commit();
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

const read = async (unit: UnitOfWork, from?: StreamStart): Promise<[position: number, id: Uuid][]> =>
  (await collect(unit.readStream(streamId, from))).map(({ position, envelope }) => [position, envelope.id]);

const conflict = expect.objectContaining({ code: 'SVC_CONCURRENCY_CONFLICT' });

it('finds an event by its id: a stored one, and its own at their future positions', async () => {
  const [stored, outside, inside] = [happened(), happened(), happened()];
  await store(stored);
  const outer = unitOf();
  outer.append(newId(), happened());
  outer.append(streamId, outside);
  const inner = unitOf(outer);
  inner.append(streamId, inside);
  expect(await inner.findEvent(stored.id)).toMatchObject({ streamId, position: 0, envelope: { id: stored.id } });
  expect(await inner.findEvent(outside.id)).toEqual({ streamId, position: 1, envelope: outside });
  expect(await inner.findEvent(inside.id)).toEqual({ streamId, position: 2, envelope: inside });
  expect(await outer.findEvent(inside.id), 'not handed over yet').toBeNull();
  expect(await inner.findEvent(newId())).toBeNull();
});

it('counts its own events in the last position of a stream', async () => {
  const unit = unitOf();
  expect(await unit.lastPosition(streamId)).toBe(-1);
  await store(happened());
  unit.append(streamId, happened());
  unit.append(newId(), happened());
  const inner = unitOf(unit);
  inner.append(streamId, happened());
  expect([await unit.lastPosition(streamId), await inner.lastPosition(streamId)]).toEqual([1, 2]);
});

describe('a stream with own events', () => {
  it('is read from a position, or after a stored or an own event', async () => {
    const [first, second, third, fourth] = [happened(), happened(), happened(), happened()];
    await store(first, second);
    const unit = unitOf();
    unit.append(streamId, third);
    unit.append(streamId, fourth);
    const all = [first, second, third, fourth].map(({ id }, position): [number, Uuid] => [position, id]);
    expect(await read(unit)).toEqual(all);
    for (const from of [0, 1, 2, 3, 4]) expect(await read(unit, from)).toEqual(all.slice(from));
    for (const [position, afterEvent] of all) expect(await read(unit, { afterEvent })).toEqual(all.slice(position + 1));
    await expect(read(unit, { afterEvent: newId() })).rejects.toMatchObject({ code: 'SVC_UNKNOWN_EVENT' });
  });

  it('does not make later appends depend on stored events if it was read after an own one', async () => {
    await store(happened());
    const unit = unitOf();
    const own = happened();
    unit.append(streamId, own);
    await read(unit, { afterEvent: own.id });
    await store(happened());
    unit.append(streamId, happened());
    await unit.commit();
    expect(await log.lastPosition(streamId)).toBe(3);
  });
});

describe('a read that reaches the end of the stream while another command appends to it', () => {
  it.each<[string, (event: MessageEnvelope) => StreamStart]>([
    ['from a position', () => 1],
    ['after an event', ({ id }) => ({ afterEvent: id })],
  ])('makes later appends conflict if it was read %s', async (_how, from) => {
    const stored = happened();
    await store(stored);
    const contended = around<UnitLog>(log, {
      async findEvent(id) {
        await store(happened());
        return await log.findEvent(id);
      },
      async lastPosition(id) {
        await store(happened());
        return await log.lastPosition(id);
      },
    });
    const unit = unitOf(null, contended);
    expect(await read(unit, from(stored))).toEqual([]);
    unit.append(streamId, happened());
    const error: unknown = await Promise.resolve()
      .then(() => unit.commit())
      .catch((thrown: unknown) => thrown);
    expect(error).toEqual(conflict);
    expect(unit.isOutdatedBy(error)).toBe(true);
  });
});
