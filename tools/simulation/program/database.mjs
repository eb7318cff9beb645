/**
 * The database that hosts of a simulation share: the in-memory storage, with what several hosts need. It has its own copy of `core`, so that
 * its clock and its errors are its own.
 */
import { InMemoryStorage } from '@svc/core';
import { DuplicateEventError, MessageSettledError } from '@svc/core/storage';
import { Leases } from './leases.mjs';
import { packed } from './failures.mjs';

export class SimulatedDatabase {
  readonlyStorage = new InMemoryStorage();
  leases;
  #storage = this.readonlyStorage;
  #notify;
  #committed;
  /** The commands under idempotency keys, by the id of the key. */
  #keys = new Map();
  /** The ids of all messages that were ever committed. */
  #messages = new Set();
  /** The ids of all messages that were delivered or received. */
  #settled = new Set();

  /**
   * `notify(connection, kind, value)` sends a notification to a connection; null: to all. `committed(connection, record)` is called for each
   * record that takes effect, and not for one that is recognized as repeated.
   */
  constructor({ leaseMs, notify, committed = () => {} }) {
    this.leases = new Leases(leaseMs, (released) => notify(null, 'released', released));
    this.#notify = notify;
    this.#committed = committed;
    this.#storage.perspectives.changes.listen((change) => notify(null, 'models', change));
    this.#storage.schedule.onScheduled(() => notify(null, 'scheduled', null));
  }

  /** Answers a call of a connection: `{ result }` or `{ failure }`. It runs as one transaction, because nothing else runs before its end. */
  async answer(connection, name, args) {
    try {
      return { result: await this.#run(connection, name, args) };
    } catch (error) {
      return { failure: packed(error) };
    }
  }

  async #run(connection, name, args) {
    const own = this.#calls[name];
    if (own !== undefined) return await own(connection, ...args);
    const [part, method] = name.split('.');
    const target = method === undefined ? this.#storage : this.#storage[part];
    return await target[method ?? part](...args);
  }

  #calls = {
    commit: (connection, records) => this.#commit(connection, records),
    read: async (_connection, kind, args, limit) => await firstOf(this.#storage[kind](...args), limit),
    readOutgoing: (connection, lane, limit, after) =>
      this.leases.hold(connection, lane) ? this.#storage.readOutgoing(lane, limit, after) : null,
    forgetExpired: (connection, expiry, limit) =>
      this.leases.hold(connection, 'forgetting') ? this.#storage.forgetExpired(expiry, limit) : 0,
    hold: (connection, lane) => this.leases.hold(connection, lane),
    release: (connection, lane) => this.leases.release(connection, lane),
    releaseAll: (connection) => this.leases.releaseAll(connection),
    readHeld: (connection, prefix) => this.leases.read(connection, prefix),
    wakeHolders: (connection, prefix) => {
      for (const holder of this.leases.holders(prefix)) {
        if (holder !== connection) this.#notify(holder, 'outgoing', null);
      }
    },
    time: () => Date.now(),
    ping: () => null,
  };

  async #commit(connection, records) {
    const outcomes = [];
    for (const record of records) {
      try {
        await this.#commitOne(connection, record);
        outcomes.push(null);
      } catch (error) {
        outcomes.push(packed(error));
      }
    }
    if (records.some(({ outgoing }) => outgoing.length > 0)) this.#notify(null, 'outgoing', connection);
    if (records.some(({ schedules }) => (schedules?.added.length ?? 0) > 0)) this.#notify(null, 'scheduled', null);
    return outcomes;
  }

  async #commitOne(connection, record) {
    if (await this.#isCommitted(record)) return;
    for (const { id } of record.events) {
      if ((await this.#storage.findEvent(id)) !== null) throw this.#settledError(record) ?? new DuplicateEventError(id);
    }
    this.#storage.commit(record);
    this.#committed(connection, record);
    const { outgoing, delivered, received, idempotency } = record;
    for (const id of [...(delivered?.ids ?? []), ...received]) this.#settled.add(id);
    if (idempotency !== undefined) this.#keys.set(idempotency.id, idempotency.messageId);
    for (const { id } of [...outgoing, ...scheduledIn(record)]) this.#messages.add(id);
  }

  /** A late delivery repeats the events of the first one. */
  #settledError({ delivered, received }) {
    const settled = [...(delivered?.ids ?? []), ...received].find((id) => this.#settled.has(id));
    return settled === undefined ? null : new MessageSettledError(settled);
  }

  /** Whether a record was committed before, and only its answer was lost. */
  async #isCommitted(record) {
    const { events, outgoing, idempotency } = record;
    if (idempotency !== undefined) return this.#keys.get(idempotency.id) === idempotency.messageId;
    if (events.length > 0) {
      const stored = await Promise.all(events.map(({ id }) => this.#storage.findEvent(id)));
      return stored.every((event, i) => event?.streamId === events[i].streamId);
    }
    const messages = [...outgoing, ...scheduledIn(record)];
    return messages.length > 0 && messages.every(({ id }) => this.#messages.has(id));
  }
}

function scheduledIn({ schedules }) {
  return schedules?.added.map(({ message }) => message) ?? [];
}

async function firstOf(items, limit) {
  const page = [];
  for await (const item of items) if (page.push(item) === limit) break;
  return page;
}
