import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import { MessageRegistry, newId } from '../messages/index.js';
import { EventLog, InMemoryStorage } from '../storage/index.js';
import { ClosedDestinations } from './closed-destinations.js';
import { deadLettering } from './dead-lettering.js';
import { MessageUndeliverableError } from './message-undeliverable-error.js';
import { transportDelivery } from './transport-delivery.js';
import { outboxPasses } from './transport-worker.js';
import type { TransportMessage } from './transport.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** A broker that accepts no messages for some destinations. */
class Broker {
  readonly shut = new Set<string>();
  readonly published: Uuid[] = [];
  readonly attempts: number[] = [];
  code: 'SVC_TRANSPORT_MISCONFIGURED' | 'SVC_DESTINATION_UNAVAILABLE' = 'SVC_TRANSPORT_MISCONFIGURED';

  async publish(messages: readonly TransportMessage[]): Promise<void> {
    this.attempts.push(messages.length);
    await Promise.resolve();
    if (messages.some(({ destination }) => this.shut.has(destination))) {
      throw new ServiceError(this.code, 'The broker accepts no messages for a destination.');
    }
    this.published.push(...messages.map(({ id }) => id));
  }
}

/** A message to a destination; by default in a stream with the name of the destination. */
type Queued = string | { readonly to: string; readonly stream: string };

/** A host with messages in its outbox. */
function hostWith(queued: readonly Queued[], mostHeldBack?: number) {
  const storage = new InMemoryStorage();
  const streams = new Map<string, Uuid>();
  const queue = (added: readonly Queued[]): Uuid[] => {
    const events = added.map((one) => {
      const name = typeof one === 'string' ? one : one.stream;
      if (!streams.has(name)) streams.set(name, newId());
      const id = newId();
      const message = { id, type: 'test.Happened', body: '{}', timestamp: 0, correlationId: id, causationId: null };
      return { ...message, streamId: streams.get(name)!, scope: null, metadata: {}, expectedPosition: undefined };
    });
    const outgoing = events.map(({ id }, i) => {
      const one = added[i]!;
      const destination = typeof one === 'string' ? one : one.to;
      return { id, lane: 'transport', destination, message: null, note: null, eventId: id } as const;
    });
    storage.commit({ events, outgoing, delivered: null, received: [] });
    return events.map(({ id }) => id);
  };
  const ids = queue(queued);
  const messages = new MessageRegistry([]);
  const log = new EventLog(storage, messages);
  const broker = new Broker();
  const reports: unknown[] = [];
  const closed = new ClosedDestinations((error) => reports.push(error), mostHeldBack);
  const toDeadLetters = deadLettering(messages, null);
  const delivery = transportDelivery({ log, transport: broker, origin: 'this-host', toDeadLetters, closed });
  const step = outboxPasses(log, delivery, closed);

  /** Runs steps until the worker would wait. Failures are retried. */
  const run = async (): Promise<void> => {
    let failures = 0;
    for (let steps = 0; steps < 100; steps++) {
      const more = await step().catch((error: unknown) => {
        if (++failures > 20) throw error;
        return true;
      });
      if (more !== true) return;
    }
    expect.unreachable('The worker does not come to rest.');
  };
  /** The same, after the delay for closed destinations. */
  const retry = async (): Promise<void> => {
    vi.advanceTimersByTime(Math.ceil(closed.retryInMs!));
    await run();
  };
  const waiting = async (): Promise<Uuid[]> => (await storage.readOutgoing('transport', 10_000)).map(({ id }) => id);
  return { storage, broker, reports, ids, queue, delivery, step, run, retry, waiting };
}

const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

it.each(['SVC_TRANSPORT_MISCONFIGURED', 'SVC_DESTINATION_UNAVAILABLE'] as const)(
  'dead-letters no message while the broker accepts none, after any number of attempts: %s',
  async (code) => {
    const { storage, broker, reports, run, retry, ids } = hostWith(times(3, 'orders'));
    broker.code = code;
    broker.shut.add('orders');
    await run();
    for (let i = 0; i < 3; i++) await retry();
    expect(await storage.readDeadLetters(null, 10)).toEqual([]);
    expect(reports).toHaveLength(4);
    expect(broker.attempts.slice(4), 'each retry with the oldest message alone').toEqual(times(3, 1));
    broker.shut.clear();
    await retry();
    expect(broker.published, 'in their order').toEqual(ids);
  },
);

it('publishes messages for other destinations, and tries each closed destination once', async () => {
  const { storage, broker, run, retry, ids, waiting } = hostWith([
    'inbox.billing',
    'orders',
    'inbox.billing',
    'orders',
    'audit',
  ]);
  broker.shut.add('inbox.billing');
  await run();
  expect(broker.published).toEqual([ids[1], ids[3], ids[4]]);
  expect(broker.attempts, 'three together, then one by one without messages after a closed destination').toEqual([
    5, 5, 5, 1, 1, 1, 1,
  ]);
  for (let i = 0; i < 3; i++) await retry();
  expect(broker.attempts).toHaveLength(7 + 3);
  expect(await waiting()).toEqual([ids[0], ids[2]]);
  expect(await storage.readDeadLetters(null, 10)).toEqual([]);
});

it('holds back later messages of a stream with one for a closed destination, also pages later', async () => {
  const toOpen = { to: 'orders', stream: 'mixed' };
  const toShut = { to: 'full', stream: 'mixed' };
  const { broker, run, retry, ids } = hostWith([
    toOpen,
    toShut,
    ...times(1_500, 'full'),
    toOpen,
    'orders',
    toShut,
    toOpen,
  ]);
  broker.shut.add('full');
  await run();
  expect(broker.published).toEqual([ids[0], ids[1_503]]);
  broker.shut.clear();
  await retry();
  expect(broker.published.filter((id) => ids.indexOf(id) !== 1_503)).toEqual(ids.toSpliced(1_503, 1));
});

it('limits the number of held-back streams, and publishes later messages afterwards', async () => {
  const streams = Array.from({ length: 2_000 }, (_, i) => ({ to: 'full', stream: `stream ${i}` }));
  const { broker, run, retry, ids, waiting } = hostWith([...streams, 'orders'], 1_000);
  broker.shut.add('full');
  await run();
  expect(broker.published).toEqual([]);
  broker.shut.clear();
  await retry();
  expect(broker.published).toEqual(ids);
  expect(await waiting()).toEqual([]);
});

it('publishes all other messages of a page with an undeliverable one, and skips none before a message that waits', async () => {
  const { broker, storage, run, queue, waiting } = hostWith(['full', 'full']);
  broker.shut.add('full');
  await run();
  const added = queue(['orders', 'large', 'orders', 'full']);
  const publish = broker.publish.bind(broker);
  broker.publish = (messages) => {
    const large = messages.find(({ destination }) => destination === 'large');
    return large === undefined
      ? publish(messages)
      : Promise.reject(new MessageUndeliverableError(large.id, 'TooLarge'));
  };
  await run();
  expect(broker.published).toEqual([added[0], added[2]]);
  expect((await waiting()).at(-1)).toBe(added[3]);
  expect(await storage.readDeadLetters(null, 10)).toMatchObject([{ cause: 'TooLarge', message: { id: added[1] } }]);
});

it.each(['SVC_TRANSPORT_UNAVAILABLE', 'SVC_TRANSPORT_CLOSED'] as const)(
  'counts no attempt while the broker is unavailable: %s',
  async (code) => {
    const { broker, storage, step, run, ids } = hostWith(['orders']);
    const publish = broker.publish.bind(broker);
    broker.publish = () => Promise.reject(new ServiceError(code, 'The broker is unavailable.'));
    for (let i = 0; i < 12; i++) await expect(step()).rejects.toMatchObject({ code });
    broker.publish = publish;
    await run();
    expect(broker.published).toEqual(ids);
    expect(await storage.readDeadLetters(null, 10)).toEqual([]);
  },
);

it('publishes messages together, and none alone, while the broker is unavailable and right after', async () => {
  const { broker, step, run, ids } = hostWith(['first', 'second']);
  const publish = broker.publish.bind(broker);
  broker.publish = (messages) => {
    broker.attempts.push(messages.length);
    return Promise.reject(new ServiceError('SVC_TRANSPORT_UNAVAILABLE', 'The broker is unavailable.'));
  };
  for (let i = 0; i < 5; i++) await expect(step()).rejects.toMatchObject({ code: 'SVC_TRANSPORT_UNAVAILABLE' });
  broker.publish = publish;
  await run();
  expect(broker.attempts).toEqual(times(6, 2));
  expect(broker.published).toEqual(ids);
});

it('ends a pass with the outage, after it has settled what was published one by one', async () => {
  const { broker, step, ids, waiting } = hostWith(['first', 'second', 'third']);
  const outage = new ServiceError('SVC_TRANSPORT_UNAVAILABLE', 'The broker is unavailable.');
  const tried: string[] = [];
  broker.publish = async (messages) => {
    await Promise.resolve();
    if (messages.length > 1) throw new Error('They fail together.');
    tried.push(messages[0]!.destination);
    if (messages[0]!.destination !== 'first') throw outage;
  };
  for (let i = 0; i < 2; i++) await expect(step()).rejects.toThrow('They fail together.');
  await expect(step()).rejects.toBe(outage);
  expect(tried, 'none after the outage').toEqual(['first', 'second']);
  expect(await waiting()).toEqual(ids.slice(1));
});

it.each([
  ['any error', new Error('No.')],
  ['an error of svc', new ServiceError('SVC_MESSAGE_REFUSED', 'No.')],
  ['an outage of something else', Object.assign(new Error('No.'), { code: 'SVC_TRANSPORT_UNAVAILABLE' })],
  ['a failure of something else', Object.assign(new Error('No.'), { code: 'SVC_TRANSPORT_MISCONFIGURED' })],
  ['no error', undefined],
])('dead-letters a message that fails alone, after ten attempts: %s', async (_, error) => {
  const { broker, storage, step, run, ids } = hostWith(['orders']);
  let attempts = 0;
  broker.publish = () => {
    attempts++;
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- transports of others may reject with anything
    return Promise.reject(error);
  };
  for (let i = 0; i < 9; i++) await expect(step()).rejects.toBe(error);
  expect(await storage.readDeadLetters(null, 10)).toEqual([]);
  await run();
  expect(attempts).toBe(10);
  expect(await storage.readDeadLetters(null, 10)).toMatchObject([
    { cause: 'AttemptsExhausted', attempts: 10, message: { id: ids[0] } },
  ]);
});

it('counts no attempt in passes in which several messages fail and none is published', async () => {
  const { broker, storage, step, ids, queue, waiting } = hostWith(['bad', 'worse']);
  broker.publish = (messages) =>
    messages.every(({ destination }) => destination === 'orders')
      ? Promise.resolve()
      : Promise.reject(new Error('No.'));
  const commit = vi.spyOn(storage, 'commit');
  for (let i = 0; i < 15; i++) await expect(step()).rejects.toMatchObject({ message: 'No.' });
  expect(await storage.readDeadLetters(null, 10)).toEqual([]);
  expect(commit, 'there is nothing to commit').not.toHaveBeenCalled();
  // A message that is published shows that the others are the cause.
  for (let i = 0; i < 9; i++) {
    queue(['orders']);
    await expect(step()).rejects.toThrow('No.');
  }
  expect(await waiting()).toEqual(ids);
  queue(['orders']);
  await step();
  expect(await waiting()).toEqual([]);
  expect(await storage.readDeadLetters(null, 10)).toMatchObject(ids.map(() => ({ attempts: 10 })));
});

it('publishes other streams, but no later message of a stream whose message fails', async () => {
  const { broker, step, ids, waiting } = hostWith(['bad', 'bad', 'orders']);
  const published: Uuid[] = [];
  broker.publish = async (messages) => {
    await Promise.resolve();
    if (messages.some(({ id }) => id === ids[0])) throw new Error('No.');
    published.push(...messages.map(({ id }) => id));
  };
  for (let i = 0; i < 3; i++) await expect(step()).rejects.toThrow('No.');
  expect(published).toEqual([ids[2]]);
  expect(await waiting()).toEqual(ids.slice(0, 2));
});

it('dead-letters a message that is undeliverable when it is tried alone, and counts an attempt of those that fail', async () => {
  const { broker, storage, step, ids, waiting } = hostWith(['large', 'bad', 'worse']);
  broker.publish = (messages) => {
    const isLarge = messages.length === 1 && messages[0]!.destination === 'large';
    return Promise.reject(isLarge ? new MessageUndeliverableError(ids[0]!, 'TooLarge') : new Error('No.'));
  };
  for (let i = 0; i < 3; i++) await expect(step()).rejects.toThrow('No.');
  expect(await waiting()).toEqual(ids.slice(1));
  expect(await storage.readDeadLetters(null, 10)).toMatchObject([
    { cause: 'TooLarge', attempts: 1, message: { id: ids[0] } },
  ]);
  // Only an attempt that was counted leaves eight more to the first of two.
  broker.publish = (messages) =>
    messages.some(({ destination }) => destination === 'bad') ? Promise.reject(new Error('No.')) : Promise.resolve();
  for (let i = 0; i < 8; i++) await expect(step()).rejects.toThrow('No.');
  await step();
  expect((await storage.readDeadLetters(null, 10)).map(({ attempts }) => attempts)).toEqual([1, 10]);
});

it('publishes the oldest message of a destination that was closed alone, and the others in their order and together', async () => {
  const { broker, run, retry, ids } = hostWith([...times(3, 'a'), ...times(3, 'b'), { to: 'a', stream: 'other' }]);
  broker.shut.add('a').add('b');
  await run();
  broker.shut.clear();
  broker.attempts.length = 0;
  await retry();
  expect(broker.published).toEqual(ids);
  expect(broker.attempts).toEqual([1, 2, 1, 3]);
});

it('leaves messages for a closed destination in the outbox, and reports the ones it leaves', async () => {
  const { broker, storage, delivery } = hostWith([]);
  const id = newId();
  const command = { id, type: 'test.Do', body: '{}', timestamp: 0, correlationId: id, causationId: null };
  const message = { ...command, scope: null, metadata: {} };
  const outgoing = [{ id, lane: 'transport', destination: 'shut', message, note: null, eventId: null } as const];
  storage.commit({ events: [], outgoing, delivered: null, received: [] });
  broker.shut.add('shut');
  const page = await storage.readOutgoing('transport', 10);
  expect(await delivery(page)).toEqual(new Set(page));
  expect(await storage.readOutgoing('transport', 10)).toEqual(page);
});

it('publishes messages together again after a failure that has ended', async () => {
  const { broker, step, run, queue } = hostWith(['first', 'second']);
  const publish = broker.publish.bind(broker);
  const failing: typeof publish = async (messages) => {
    await publish(messages);
    throw new Error('No.');
  };
  for (let i = 0; i < 2; i++) {
    broker.publish = failing;
    for (let j = 0; j < 2; j++) await expect(step()).rejects.toThrow('No.');
    broker.publish = publish;
    await run();
    queue(['first', 'second']);
  }
  expect(broker.attempts, 'two failures of each batch, and no message alone').toEqual([2, 2, 2, 2, 2, 2]);
});

it('dead-letters the messages that the transport names, and publishes the others of the batch together', async () => {
  const { broker, storage, run, ids } = hostWith(['a', 'b', 'c']);
  const id = newId();
  const command = { id, type: 'test.Do', body: '{}', timestamp: 0, correlationId: id, causationId: null };
  const message = { ...command, scope: null, metadata: {} };
  const outgoing = [{ id, lane: 'transport', destination: 'd', message, note: null, eventId: null } as const];
  storage.commit({ events: [], outgoing, delivered: null, received: [] });
  const publish = broker.publish.bind(broker);
  const named: readonly Uuid[] = [ids[1]!, id];
  const tried: (readonly TransportMessage[])[] = [];
  broker.publish = (messages) => {
    tried.push(messages);
    const found = messages.find((one) => named.includes(one.id));
    return found === undefined
      ? publish(messages)
      : Promise.reject(new MessageUndeliverableError(found.id, 'TooLarge'));
  };
  await run();
  expect(tried.map(({ length }) => length)).toEqual([4, 3, 2]);
  expect(tried[0]!.at(-1), 'a command is the only message of its stream').toMatchObject({ id, streamId: id });
  expect(broker.published).toEqual([ids[0], ids[2]]);
  const letters = await storage.readDeadLetters(null, 10);
  expect(letters.map((letter) => letter.message.id).toSorted()).toEqual([...named].toSorted());
  expect(letters).toMatchObject(times(2, { direction: 'outgoing', cause: 'TooLarge', attempts: 1 }));
});

it('publishes messages after whole pages for closed destinations at full speed, and those in order once they open', async () => {
  const { broker, run, retry, ids, queue, waiting } = hostWith([
    ...times(2_500, 'full'),
    ...times(1_200, 'gone'),
    ...times(10, 'orders'),
  ]);
  broker.code = 'SVC_DESTINATION_UNAVAILABLE';
  broker.shut.add('full').add('gone');
  await run();
  expect(broker.published).toEqual(ids.slice(3_700));
  const later = queue([...times(500, 'orders'), 'full']);
  const before = broker.attempts.length;
  await run();
  expect(broker.published.slice(10), 'what comes while others are closed').toEqual(later.slice(0, 500));
  expect(broker.attempts.length - before, 'in batches, and not one by one').toBeLessThan(20);

  broker.shut.delete('gone');
  await retry();
  expect(broker.published.slice(510), 'after the pages of the other').toEqual(ids.slice(2_500, 3_700));
  broker.shut.clear();
  await retry();
  expect(broker.published.slice(1_710)).toEqual([...ids.slice(0, 2_500), later[500]]);
  expect(await waiting()).toEqual([]);
});

it('finishes a pass through a long outbox before it retries a closed destination, however long the process has run', async () => {
  vi.advanceTimersByTime(1_000_000);
  const { broker, storage, reports, run, ids } = hostWith([...times(2_500, 'full'), 'orders']);
  broker.shut.add('full');
  const read = storage.readOutgoing.bind(storage);
  let passes = 0;
  storage.readOutgoing = async (lane, limit, after) => {
    if (reports.length > 0 && after === undefined) passes++;
    // By then the retry is due.
    vi.advanceTimersByTime(60);
    return await read(lane, limit, after);
  };
  const publish = broker.publish.bind(broker);
  broker.publish = (messages) => {
    if (messages.some(({ id }) => id === ids.at(-1))) expect(passes).toBe(0);
    return publish(messages);
  };
  await run();
  expect(broker.published).toEqual(ids.slice(-1));
});
