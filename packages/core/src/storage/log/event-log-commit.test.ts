import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, it } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { firstIdOf, MessageRegistry, newId } from '../../messages/index.js';
import type { CommitRecord } from '../commit-record.js';
import { ConcurrencyConflictError } from '../concurrency-conflict-error.js';
import { around } from '../database/around.js';
import type { PendingRecord } from '../event-record.js';
import { LateEventError } from '../late-event-error.js';
import { InMemoryStorage } from '../memory/in-memory-storage.js';
import type { OutgoingRecord } from '../outgoing-record.js';
import type { Storage } from '../storage.js';
import { EventLog } from './event-log.js';

const messages = new MessageRegistry([]);
const stream = newId();
const [early, late] = [firstIdOf(1_000), firstIdOf(2_000)];
/** How often a record gets new ids. */
const mostRenewals = 500;

function pending(id: Uuid = newId()): PendingRecord {
  const envelope = { timestamp: 0, correlationId: id, causationId: null, scope: null, metadata: {} };
  return { id, type: 'test.Happened', streamId: stream, body: '{}', ...envelope, expectedPosition: undefined };
}

const record = (events: readonly PendingRecord[], outgoing: readonly OutgoingRecord[] = []): CommitRecord => ({
  events,
  outgoing,
  delivered: null,
  received: [],
});

function systemMessage(): OutgoingRecord {
  const id = newId();
  const message = { ...pending(id), type: 'svc.CommandAudited' };
  return { id, lane: 'system', destination: 'audit', message, note: null, eventId: null };
}

interface CommittingLog {
  readonly log: EventLog;
  /** The records that the storage was asked to commit. */
  readonly attempts: CommitRecord[];
  /** The records that listeners received. */
  readonly told: CommitRecord[];
}

/** A log over a storage that commits as `commit` says. */
function committing(commit: Storage['commit'], capabilities: Partial<Storage> = {}): CommittingLog {
  const attempts: CommitRecord[] = [];
  const storage = around<Storage>(new InMemoryStorage(), {
    ...capabilities,
    commit(attempt, signal) {
      attempts.push(attempt);
      return commit(attempt, signal);
    },
  });
  const log = new EventLog(storage, messages);
  const told: CommitRecord[] = [];
  log.onCommit((committed) => told.push(committed));
  return { log, attempts, told };
}

describe('a commit', () => {
  it('returns nothing to wait for if the storage commits at once', () => {
    const { log, attempts, told } = committing(() => {});
    const one = record([pending()]);
    expect(log.commit(one)).toBeUndefined();
    expect(attempts[0]).toBe(one);
    expect(told).toEqual([one]);
  });

  it('calls every listener, in the order of their registration, once the storage has committed', async () => {
    let commit = (): void => {};
    const { log, told } = committing(() => new Promise<void>((resolve) => (commit = resolve)));
    const second: CommitRecord[] = [];
    log.onCommit((one) => second.push(...told, one));
    const one = record([pending()]);
    const committed = log.commit(one);
    await Promise.resolve();
    expect(told).toEqual([]);
    commit();
    await committed;
    expect(told).toEqual([one]);
    expect(second).toEqual([one, one]);
  });

  it('is published to tools with the types of its events', () => {
    const published: unknown[] = [];
    const listener = (message: unknown): void => void published.push(message);
    subscribe('svc.events.appended', listener);
    try {
      const event = pending();
      void committing(() => {}).log.commit(record([event]));
      expect(published).toEqual([{ events: [{ id: event.id, type: event.type, streamId: stream }] }]);
    } finally {
      unsubscribe('svc.events.appended', listener);
    }
  });

  it.each([
    [
      'throws',
      () => {
        throw new ConcurrencyConflictError(stream, 0, 1);
      },
    ],
    ['rejects', () => Promise.reject(new ConcurrencyConflictError(stream, 0, 1))],
  ] as [string, Storage['commit']][])(
    'that the storage %s is neither told to listeners nor repeated',
    async (_, commit) => {
      const { log, attempts, told } = committing(commit);
      await expect((async () => await log.commit(record([pending()])))()).rejects.toThrow(ConcurrencyConflictError);
      expect(attempts).toHaveLength(1);
      expect(told).toEqual([]);
    },
  );

  it('hands its failure over to the caller that handles failures', async () => {
    const failure = new ConcurrencyConflictError(stream, 0, 1);
    for (const commit of [
      () => {
        throw failure;
      },
      () => Promise.reject(failure),
    ] as Storage['commit'][]) {
      const failures: unknown[] = [];
      const handle = (error: unknown): Promise<never> => {
        failures.push(error);
        return Promise.reject(new Error('handled'));
      };
      await expect(committing(commit).log.commit(record([pending()]), undefined, handle)).rejects.toThrow('handled');
      expect(failures).toEqual([failure]);
    }
  });

  it('is not attempted after the signal of its unit of work has aborted', () => {
    const { log, attempts, told } = committing(() => {});
    const signal = AbortSignal.abort(new Error('enough'));
    expect(() => log.commit(record([pending()]), { signal, renewed: () => {} })).toThrow('enough');
    expect([attempts, told]).toEqual([[], []]);
  });

  it('passes the signal of its unit of work to the storage', () => {
    const { signal } = new AbortController();
    const signals: unknown[] = [];
    const { log } = committing((_, passed) => void signals.push(passed));
    void log.commit(record([pending()]), { signal, renewed: () => {} });
    void log.commit(record([pending()]), { renewed: () => {} });
    void log.commit(record([pending()]));
    expect(signals).toEqual([signal, undefined, undefined]);
  });
});

describe('events with ids below that of the last event of their stream', () => {
  it('get new ids before the first attempt if an event of the same record has the greater one', () => {
    const { log, attempts, told } = committing(() => {});
    const renewals: CommitRecord[] = [];
    void log.commit(record([pending(late), pending(early)]), { renewed: (one) => renewals.push(one) });
    expect(attempts).toHaveLength(1);
    expect(attempts[0]!.events[0]!.id).toBe(late);
    expect(attempts[0]!.events[1]!.id > late).toBe(true);
    expect([renewals, told]).toEqual([attempts, attempts]);
  });

  it('get new ids above those that the storage names, and are committed again', () => {
    const ahead = firstIdOf(Date.now() + 60_000);
    let isLate = true;
    const { log, attempts, told } = committing(() => {
      if (!isLate) return;
      isLate = false;
      throw new LateEventError(new Map([[stream, ahead]]));
    });
    const renewals: CommitRecord[] = [];
    void log.commit(record([pending(early)]), { renewed: (one) => renewals.push(one) });
    expect(attempts.map(({ events }) => events[0]!.id > ahead)).toEqual([false, true]);
    expect(renewals).toEqual([attempts[1]]);
    expect(told, 'only the record that is stored').toEqual([attempts[1]]);
    expect(newId() > ahead, 'later ids of this host are greater').toBe(true);
  });

  it('make later ids of this host greater than those of all streams that the storage names', () => {
    const ahead = firstIdOf(Date.now() + 90_000);
    let isLate = true;
    const { log } = committing(() => {
      if (!isLate) return;
      isLate = false;
      throw new LateEventError(new Map([[newId(), ahead]]));
    });
    void log.commit(record([]));
    expect(newId() > ahead).toBe(true);
  });

  it('are not committed again once their unit of work is cancelled', () => {
    const controller = new AbortController();
    const { log, attempts } = committing(() => {
      controller.abort(new Error('enough'));
      throw new LateEventError(new Map([[stream, late]]));
    });
    expect(() => log.commit(record([pending(early)]), { signal: controller.signal, renewed: () => {} })).toThrow(
      'enough',
    );
    expect(attempts).toHaveLength(1);
  });

  it.each([
    [
      'throws',
      () => {
        throw new LateEventError(new Map([[stream, late]]));
      },
    ],
    ['rejects', () => Promise.reject(new LateEventError(new Map([[stream, late]])))],
  ] as [string, Storage['commit']][])(
    'are rejected after 500 renewals if the storage %s each time',
    async (_, commit) => {
      const { log, attempts, told } = committing(commit);
      await expect((async () => await log.commit(record([pending(early)])))()).rejects.toThrow(LateEventError);
      expect(attempts).toHaveLength(mostRenewals + 1);
      expect(told).toEqual([]);
    },
  );

  it('are committed if the last of 500 renewals succeeds', () => {
    let renewals = 0;
    const { log, attempts, told } = committing(() => {
      if (renewals === mostRenewals) return;
      renewals++;
      throw new LateEventError(new Map([[stream, late]]));
    });
    void log.commit(record([pending(early)]));
    expect(attempts).toHaveLength(mostRenewals + 1);
    expect(told).toEqual([attempts.at(-1)]);
  });
});

describe('system events', () => {
  const atOnce = { systemDelivery: { isAtOnce: true, deliver: () => Promise.resolve(new Map<string, number>()) } };
  const later = { systemDelivery: { ...atOnce.systemDelivery, isAtOnce: false } };

  it('are appended at once while the condition is true, by a storage that can', () => {
    const { log, attempts } = committing(() => {}, atOnce);
    let isAllowed = true;
    log.appendSystemEventsAtOnceIf(() => isAllowed);
    const one = record([], [systemMessage()]);
    void log.commit(one);
    isAllowed = false;
    void log.commit(one);
    expect(attempts[0]).toEqual({ ...one, systemAtOnce: true });
    expect(attempts[1]).toBe(one);
  });

  it('are not appended at once unless the service allows it', () => {
    const { log, attempts } = committing(() => {}, atOnce);
    void log.commit(record([], [systemMessage()]));
    expect(attempts[0]).not.toHaveProperty('systemAtOnce');
  });

  it.each([
    ['cannot', later],
    ['has no such capability', {}],
  ] as [string, Partial<Storage>][])('are not appended at once by a storage that %s', (_, capabilities) => {
    const { log, attempts } = committing(() => {}, capabilities);
    log.appendSystemEventsAtOnceIf(() => true);
    void log.commit(record([], [systemMessage()]));
    expect(attempts[0]).not.toHaveProperty('systemAtOnce');
  });

  it('are not asked for by a record without messages', () => {
    const { log, attempts } = committing(() => {}, atOnce);
    log.appendSystemEventsAtOnceIf(() => true);
    void log.commit(record([pending()]));
    expect(attempts[0]).not.toHaveProperty('systemAtOnce');
  });

  it('that the database delivers are counted over all types', async () => {
    const limits: number[] = [];
    const deliver = (limit: number): Promise<ReadonlyMap<string, number>> => {
      limits.push(limit);
      return Promise.resolve(
        new Map([
          ['svc.A', 2],
          ['svc.B', 3],
        ]),
      );
    };
    const { log } = committing(() => {}, { systemDelivery: { isAtOnce: true, deliver } });
    expect(await log.deliverSystemEvents(40)).toBe(5);
    expect(limits).toEqual([40]);
  });

  it('that the database cannot deliver are left to the host', async () => {
    expect(await committing(() => {}).log.deliverSystemEvents(40)).toBeNull();
  });
});
