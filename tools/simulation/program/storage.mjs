/** The storage of a simulated host: sends every call over a connection that delays, fails and loses answers. */
import { ServiceError } from '@svc/core';
import { GroupCommit, ModelListeners, OutgoingSignal, StorageUnavailableError } from '@svc/core/storage';
import { unpacked } from './failures.mjs';
import { HostLeases } from './host-leases.mjs';

/** Small, so that reads are interrupted between pages. */
const pageSize = 50;
const firstPauseMs = 20;
const longestPauseMs = 500;
/** How long a commit whose answer was lost is repeated before its outcome counts as unknown. */
const resolveTimeoutMs = 5_000;

const parts = {
  snapshots: ['read', 'write'],
  processes: ['readInstances'],
  schedule: [
    'claim',
    'renew',
    'retryLater',
    'read',
    'readKeys',
    'readTypes',
    'find',
    'makeDue',
    'cancel',
    'readStanding',
  ],
  reactions: [
    'register',
    'find',
    'readStandings',
    'begin',
    'advance',
    'suspend',
    'resume',
    'findFailed',
    'readDue',
    'readFailed',
    'setPaused',
    'retry',
    'skip',
  ],
  perspectives: [
    'ownPlace',
    'readPerspectives',
    'readStandings',
    'readProgress',
    'readModels',
    'findModels',
    'listModels',
    'countModels',
    'readStopped',
    'readRewinds',
    'readSources',
    'readModelIds',
    'readSnapshot',
    'commitPerspective',
    'replacePerspective',
    'clearPerspective',
    'readRebuilding',
    'removeTables',
    'removePerspective',
  ],
};

/**
 * `link.call(name, args)` resolves with the answer of the database, or rejects with `{ wasSent }` if the connection is lost: whether the
 * database may have received the call.
 * `link.listen(handler)` receives its notifications.
 */
export function simulatedStorage(link, times) {
  return new SimulatedStorage(link, times);
}

class SimulatedStorage {
  connection = { ping: () => this.#call('ping') };
  clock = { read: () => this.#call('time') };
  leases;
  notifications = {
    onOutgoing: (listener) => this.#outgoing.add(listener),
    wakeHolders: (prefix) => this.leases.wakeHolders(prefix),
  };
  snapshots = this.#part('snapshots');
  processes = this.#part('processes');
  reactions = this.#part('reactions');
  schedule = {
    ...this.#part('schedule'),
    leaseMs: 5_000,
    onScheduled: (listener) => void this.#scheduled.push(listener),
  };
  perspectives = {
    ...this.#part('perspectives', () => this.#defining),
    largestCommit: 1_000,
    changes: { listen: (listener) => this.#models.add(listener), flush: () => Promise.resolve() },
    define: (tables) => void (this.#defining = this.#define(tables)),
  };
  #link;
  #group;
  #outgoing;
  #scheduled = [];
  #models = new ModelListeners();
  #perspectives = [];
  #defining = Promise.resolve();
  #isClosed = false;

  constructor(link, { pollMs, leaseMs }) {
    this.#link = link;
    this.leases = new HostLeases((name, ...args) => this.#call(name, ...args), leaseMs);
    this.#outgoing = new OutgoingSignal(pollMs);
    const options = { transactions: 2, largestBatch: 1_000, disjoint: true, eager: true };
    this.#group = new GroupCommit((records) => this.#commitBatch(records), options);
    link.listen((kind, value) => this.#notified(kind, value));
  }

  async open() {
    await this.#call('ping');
    this.#outgoing.start();
  }

  async close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#outgoing.stop();
    await this.#group.idle();
    // If it fails, the leases expire and another host takes over a little later.
    await this.#link.call('releaseAll', []).catch(() => {});
    this.#link.close();
  }

  async commit(record, signal) {
    this.#requireOpen();
    await this.#group.commit(record, signal);
  }

  readStream(streamId, fromPosition = 0) {
    return this.#pages('readStream', (last) => [streamId, last === undefined ? fromPosition : last.position + 1]);
  }

  readPositions(streamId, positions) {
    return this.#pages('readPositions', (last) => [
      streamId,
      last === undefined ? positions : positions.filter((position) => position > last.position),
    ]);
  }

  readAll(afterSequence = -1) {
    return this.#pages('readAll', (last) => [last?.sequence ?? afterSequence]);
  }

  readingStall() {
    return Promise.resolve(null);
  }

  async readOutgoing(lane, limit, after) {
    if (this.leases.isRefused(lane)) return [];
    const messages = await this.#call('readOutgoing', lane, limit, after);
    if (messages === null) this.leases.refused(lane);
    return messages ?? [];
  }

  findEvent = this.#method('findEvent');
  findPlace = this.#method('findPlace');
  placeAt = this.#method('placeAt');
  tenantOf = this.#method('tenantOf');
  lastPosition = this.#method('lastPosition');
  positionOf = this.#method('positionOf');
  findIdempotent = this.#method('findIdempotent');
  readDeadLetters = this.#method('readDeadLetters');
  findDeadLetter = this.#method('findDeadLetter');
  countDeadLetters = this.#method('countDeadLetters');
  forgetExpired = this.#method('forgetExpired');

  async *#pages(kind, argsAfter) {
    for (let last; ;) {
      const page = await this.#call('read', kind, argsAfter(last), pageSize);
      yield* page;
      if (page.length < pageSize) return;
      last = page.at(-1);
    }
  }

  #method(name) {
    return (...args) => this.#call(name, ...args);
  }

  #part(part, ready) {
    const method =
      (name) =>
      async (...args) => {
        if (ready !== undefined) await ready();
        return await this.#call(`${part}.${name}`, ...args);
      };
    return Object.fromEntries(parts[part].map((name) => [name, method(name)]));
  }

  /** Declares the perspectives, however often it takes. */
  async #define(tables) {
    this.#perspectives = tables.map(({ perspective }) => perspective);
    for (;;) {
      try {
        return await this.#call('perspectives.define', tables);
      } catch (error) {
        if (this.#isClosed) throw error;
        await pause(longestPauseMs);
      }
    }
  }

  async #call(name, ...args) {
    this.#requireOpen();
    try {
      return await this.#answerOf(name, args);
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      throw new StorageUnavailableError(error.wasSent ? 'unknown' : 'none', error);
    }
  }

  async #answerOf(name, args) {
    const { result, failure } = await this.#link.call(name, args);
    if (failure !== undefined) throw unpacked(failure);
    return result;
  }

  /** Sends a batch again while its answer is lost, so that callers learn the outcome. */
  async #commitBatch(records) {
    let lostSince = null;
    for (let ms = firstPauseMs; ; ms = Math.min(ms * 2, longestPauseMs)) {
      try {
        const outcomes = await this.#answerOf('commit', [records]);
        return outcomes.map((outcome) => outcome && unpacked(outcome));
      } catch (error) {
        if (!error.wasSent && lostSince === null) throw new StorageUnavailableError('none', error);
        lostSince ??= performance.now();
        if (performance.now() - lostSince > resolveTimeoutMs) throw new StorageUnavailableError('unknown', error);
      }
      await pause(ms * (0.5 + Math.random()));
    }
  }

  #notified(kind, value) {
    if (this.#isClosed) return;
    if (kind === 'outgoing') this.#outgoing.raise();
    if (kind === 'released') this.leases.released();
    if (kind === 'scheduled') for (const listener of this.#scheduled) listener();
    if (kind === 'models') this.#models.tell(value);
    // Notifications may have been missed.
    if (kind === 'reconnected') {
      this.#outgoing.raise();
      this.#models.tellAll(this.#perspectives);
    }
  }

  #requireOpen() {
    if (this.#isClosed) throw new ServiceError('SVC_STORAGE_CLOSED', 'The storage is closed.');
  }
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
