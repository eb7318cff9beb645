import { createService } from '@svc/core';
import { commitRecord, listen } from '@svc/core/testing';
import { rabbitMqTransport } from '@svc/rabbitmq';
import { sqlite } from '@svc/sqlite';
import { batchSize, nextMessage, prefetch, topic, type } from './messages.mjs';

/** @typedef {import('./messages.mjs').Place} Place */
/** @typedef {import('./measure.mjs').Subject} Subject */

const interest = { name: 'events', topics: [{ topic, types: [type] }] };

/** Starts a service with a full outbox and stops it when the outbox is empty. @param {Place} place @returns {Promise<Subject>} */
export async function publish({ url, prefix, file }) {
  // A queue must be bound, as with the other subjects.
  const receiver = rabbitMqTransport({ url, prefix, hostName: 'receiver' });
  const { subscription } = await listen(receiver, undefined, interest);
  await subscription.close();
  const prepare = async (/** @type {number} */ count) => {
    const storage = sqlite({ file });
    await storage.open();
    for (let filled = 0; filled < count; filled += batchSize) {
      const size = Math.min(batchSize, count - filled);
      const events = Array.from({ length: size }, () => ({ ...nextMessage(), expectedPosition: undefined }));
      const outgoing = events.map(({ id }) => ({
        id,
        lane: /** @type {const} */ ('transport'),
        destination: topic,
        message: null,
        note: null,
        eventId: id,
      }));
      await storage.commit(commitRecord({ events, outgoing }));
    }
    await storage.close();
  };
  const run = async (/** @type {number} */ count) => {
    const storage = sqlite({ file });
    const clock = new Clock(count);
    const transport = rabbitMqTransport({ url, prefix, hostName: 'sender' });
    const publishing = transport.publish.bind(transport);
    transport.publish = (messages) => {
      clock.start();
      return publishing(messages);
    };
    const service = await startService(
      clock.watch(storage, ({ delivered }) => delivered?.ids.length ?? 0),
      transport,
    );
    const took = await clock.ended;
    await service.stop();
    return took;
  };
  return { prepare, run };
}

/** Starts a service on a full queue and stops it when everything is committed. @param {Place} place @returns {Promise<Subject>} */
export async function receive({ url, prefix, file }) {
  const sender = rabbitMqTransport({ url, prefix, hostName: 'sender' });
  // The broker proves each origin by its user, as in a system of several hosts.
  const users = { sender: new URL(url).username };
  const transport = () => rabbitMqTransport({ url, prefix, hostName: 'bench', users, prefetch });
  let before = 0;
  const prepare = async (/** @type {number} */ count) => {
    const { subscription } = await listen(transport(), undefined, interest);
    await subscription.close();
    for (let sent = 0; sent < count; sent += batchSize) {
      const size = Math.min(batchSize, count - sent);
      await sender.publish(Array.from({ length: size }, nextMessage));
    }
  };
  const run = async (/** @type {number} */ count) => {
    const clock = new Clock(count);
    const receiver = transport();
    const subscribing = receiver.subscribe.bind(receiver);
    receiver.subscribe = (wanted, take) =>
      subscribing(wanted, (messages) => {
        clock.start();
        return take(messages);
      });
    const service = await startService(
      clock.watch(sqlite({ file }), ({ received }) => received.length),
      receiver,
      ['sender'],
    );
    const took = await clock.ended;
    await service.stop();
    const stored = await countStored(file);
    if (stored - before !== count) throw new Error(`${stored - before} of ${count} messages were committed.`);
    before = stored;
    return took;
  };
  return { prepare, run };
}

/** Measures from the first message to the last one that a storage has committed. */
class Clock {
  #started = 0;
  #left;
  #end = (/** @type {number} */ _ms) => {};
  ended = new Promise((/** @type {(ms: number) => void} */ resolve) => (this.#end = resolve));

  /** @param {number} count */
  constructor(count) {
    this.#left = count;
  }

  start() {
    this.#started ||= performance.now();
  }

  /**
   * @param {import('@svc/core/storage').Storage} storage
   * @param {(record: import('@svc/core/storage').CommitRecord) => number} doneBy
   */
  watch(storage, doneBy) {
    const commit = storage.commit.bind(storage);
    storage.commit = async (record) => {
      await commit(record);
      this.#left -= doneBy(record);
      if (this.#left === 0) this.#end(performance.now() - this.#started);
    };
    return storage;
  }
}

/** @param {string} file */
async function countStored(file) {
  const storage = sqlite({ file });
  await storage.open();
  let stored = 0;
  for await (const _ of storage.readAll()) stored++;
  await storage.close();
  return stored;
}

/**
 * @param {import('@svc/core/storage').Storage} storage
 * @param {import('@svc/core/transport').Transport} transport
 * @param {readonly string[]} from
 */
async function startService(storage, transport, from = []) {
  class OrderPlaced {}
  const service = createService({
    messages: [
      {
        type,
        kind: 'event',
        class: OrderPlaced,
        read: (value) => Object.assign(new OrderPlaced(), value),
        write: JSON.stringify,
      },
    ],
    receptors: [],
    endpoints: [],
    openapi: { paths: {}, components: { schemas: {} } },
  })
    .useStorage(storage)
    .useTransport(transport)
    .acceptEvents({ from, namespaces: [topic] })
    .start();
  await service.ready();
  return service;
}
