/** What a host does when it starts: which batch it begins or resumes, and what it does after each failure. */
import { MigrationStatus, newId } from '@svc/core';
import { SessionLostError, SupersededError } from '@svc/core/storage';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ended, endProcess, gone, hostOn, MemoryDatabase, type Host } from './memory-database.js';
import { customer, firstStep, orders, secondStep, sqlItem, tableItem } from './trial-tables.js';

const trial = sqlItem(firstStep);
const [key, ordersKey] = ['infrastructure/trial', 'perspective/Orders'];
const second = { ...trial, key: 'infrastructure/second' };
const third = { ...trial, key: 'infrastructure/third' };

let database: MemoryDatabase;
beforeEach(() => void (database = new MemoryDatabase()));

/** Fails the first call with this name. */
function failOnce(call: string, error: Error): void {
  let hasFailed = false;
  database.before = (called) => {
    if (hasFailed || called !== call) return;
    hasFailed = true;
    throw error;
  };
}
/** Migrates until this call, in which the process ends. */
async function endIn(call: string, host: Host): Promise<void> {
  database.before = (called) => (called === call ? ended : undefined);
  void host.migrations.run();
  await expect.poll(() => database.calls.at(-1), { interval: 1 }).toBe(call);
  endProcess(database, host);
  database.calls.length = 0;
}
async function migrated(host: Host): Promise<Host> {
  await host.migrations.run();
  await host.migrations.idle();
  await host.migrations.emitted();
  database.calls.length = 0;
  return host;
}
const statusOf = (item: string) => database.stored?.get(item)?.status;

describe('a first start', () => {
  it('applies everything in one batch, in one session', async () => {
    const { migrations, emitted, ways } = hostOn(database, trial, tableItem(orders()));
    await migrations.run();
    expect(database.calls).toEqual([
      'begin schema',
      'startBatch',
      `apply ${key} (1)`,
      `apply ${ordersKey} (1)`,
      'close schema',
    ]);
    expect(migrations.state).toEqual({ isWaiting: false, inBackground: [], failed: [] });
    await migrations.emitted();
    expect(emitted).toEqual([
      'BatchStarted',
      `ItemStarted ${key}`,
      `ItemCompleted ${key}`,
      `ItemStarted ${ordersKey}`,
      `ItemCompleted ${ordersKey}`,
      'BatchCompleted',
    ]);
    expect(ways).toEqual(['outbox']);
    expect(database.open).toEqual([]);
  });

  it('succeeds even if the session cannot be ended', async () => {
    failOnce('close schema', new Error('no connection'));
    await hostOn(database, trial).migrations.run();
    expect(statusOf(key)).toBe(MigrationStatus.Applied);
  });

  it('has items in addition to those of the storage', async () => {
    const { migrations } = hostOn(database, trial);
    migrations.add(second, tableItem(orders()));
    migrations.add(third);
    expect((await migrations.plan()).map(({ item }) => item.key)).toEqual([key, second.key, ordersKey, third.key]);
  });
});

describe('a further start', () => {
  it('runs nothing if everything is unchanged, and records that', async () => {
    await migrated(hostOn(database, trial, tableItem(orders())));
    const { migrations, emitted } = hostOn(database, trial, tableItem(orders()));
    const batches = vi.spyOn(database, 'batches');
    await migrations.run();
    expect(database.calls).toEqual([`recordSkipped ${key} ${ordersKey}`]);
    await migrations.emitted();
    expect(emitted).toEqual([]);
    expect(batches).toHaveBeenCalledTimes(1);
  });

  it('writes nothing if that is recorded', async () => {
    await migrated(hostOn(database, trial));
    database.stored!.set(key, { ...database.stored!.get(key)!, status: MigrationStatus.Skipped });
    await hostOn(database, trial).migrations.run();
    expect(database.calls).toEqual([]);
  });

  it('succeeds on a read-only database, and reports that', async () => {
    await migrated(hostOn(database, trial));
    const readOnly = new Error('read-only');
    failOnce(`recordSkipped ${key}`, readOnly);
    const { migrations, reported } = hostOn(database, trial);
    await migrations.run();
    expect(reported).toEqual([readOnly]);
    expect(migrations.state.failed).toEqual([]);
  });

  it('emits the events that the last one could not, although there is nothing to migrate', async () => {
    await hostOn(database, trial).migrations.run();
    expect(database.open).toHaveLength(1);
    database.calls.length = 0;
    const { emitted } = await migrated(hostOn(database, trial));
    expect(emitted).toEqual(['BatchStarted', `ItemStarted ${key}`, `ItemCompleted ${key}`, 'BatchCompleted']);
    expect(database.open).toEqual([]);
  });

  it('runs further steps only, and skips the rest', async () => {
    await migrated(hostOn(database, trial, second));
    const { migrations, emitted } = hostOn(database, sqlItem(firstStep, secondStep), second);
    await migrations.run();
    expect(database.calls).toEqual([
      `recordSkipped ${second.key}`,
      'begin schema',
      'startBatch',
      `apply ${key} (1)`,
      'changeBatch',
      'close schema',
    ]);
    await migrations.emitted();
    expect(emitted).toContain(`ItemCompleted ${second.key}`);
  });
});

describe('items', () => {
  it('cannot be added after the start', async () => {
    const { migrations } = await migrated(hostOn(database, trial));
    expect(() => migrations.add(second)).toThrow(expect.objectContaining({ code: 'SVC_SERVICE_STARTED' }));
    // A program without perspectives adds none.
    expect(() => migrations.add()).not.toThrow();
  });

  it('that are invalid are not added', async () => {
    const { migrations } = hostOn(database, trial);
    expect(() => migrations.add(second, trial)).toThrow(expect.objectContaining({ code: 'SVC_INVALID_MIGRATION' }));
    expect(await migrations.plan()).toHaveLength(1);
  });
});

describe('the plan and the records', () => {
  it('change nothing', async () => {
    const { migrations } = hostOn(database, trial);
    expect(await migrations.plan()).toMatchObject([{ action: 'apply', record: null }]);
    expect(await migrations.records()).toEqual([]);
    expect(database.calls).toEqual([]);
    await migrations.run();
    expect(await migrations.records()).toMatchObject([{ key, status: MigrationStatus.Applied }]);
    expect(await migrations.plan()).toMatchObject([{ action: 'skip', record: { key } }]);
  });
});

describe('the runtime role', () => {
  beforeEach(() => void (database.role = 'perspectives'));

  it('does not start on an outdated schema', async () => {
    const { migrations } = hostOn(database, trial);
    await expect(migrations.run()).rejects.toMatchObject({ code: 'SVC_SCHEMA_OUTDATED' });
    expect(database.calls).toEqual([]);
  });

  it('records only tables as Skipped, because it may not change other records', async () => {
    database.role = 'everything';
    await migrated(hostOn(database, trial, tableItem(orders())));
    database.role = 'perspectives';
    await hostOn(database, trial, tableItem(orders())).migrations.run();
    expect(database.calls).toEqual([`recordSkipped ${ordersKey}`]);
  });

  it('is the only one that rolls back tables', async () => {
    const { migrations } = await migrated(hostOn(database, tableItem(orders())));
    await expect(migrations.rollBack(ordersKey)).rejects.toMatchObject({ code: 'SVC_ROLLBACK_REFUSED' });
    database.role = 'infrastructure';
    database.calls.length = 0;
    await expect(migrations.rollBack(ordersKey)).rejects.toMatchObject({ code: 'SVC_DATABASE_ROLE' });
    expect(database.calls).toEqual([]);
  });
});

describe('while another host migrates', () => {
  beforeEach(() => void database.held.add('schema'));

  it('a host waits, and then does only what is left', async () => {
    const { migrations } = hostOn(database, trial);
    const running = migrations.run();
    await expect.poll(() => migrations.state.isWaiting, { interval: 1 }).toBe(true);
    const other = new MemoryDatabase();
    await hostOn(other, trial).migrations.run();
    database.stored = other.stored;
    database.held.clear();
    await running;
    expect(migrations.state.isWaiting).toBe(false);
    expect(database.calls).toEqual(['begin schema', 'close schema']);
  });

  it('a host that is stopped no longer waits', async () => {
    const { migrations } = hostOn(database, trial);
    const running = migrations.run();
    await expect.poll(() => migrations.state.isWaiting, { interval: 1 }).toBe(true);
    await Promise.all([expect(running).rejects.toMatchObject({ code: 'SVC_SERVICE_STOPPING' }), migrations.stop()]);
    expect(migrations.state.isWaiting).toBe(false);
  });
});

describe('infrastructure that fails', () => {
  const error = new Error('no such table');
  const failure = { code: 'SVC_MIGRATION_FAILED', key };

  it('stops the start, and its events are appended to the system stream at once', async () => {
    failOnce(`apply ${key} (1)`, error);
    const { migrations, emitted, ways } = hostOn(database, trial, second);
    await expect(migrations.run()).rejects.toMatchObject(failure);
    expect(migrations.state.failed).toEqual([key]);
    expect(emitted).toEqual(['BatchStarted', `ItemStarted ${key}`, `ItemFailed ${key}`, 'BatchCompleted']);
    expect(ways).toEqual(['stream']);
    expect(statusOf(key)).toBe(MigrationStatus.Failed);
    expect(statusOf(second.key)).toBeUndefined();
    expect(database.held.size).toBe(0);
  });

  it('is the error of the start, even if its events cannot be emitted; the next start emits them', async () => {
    database.before = (call) => {
      if (call === `apply ${key} (1)`) throw error;
      if (call === 'emit') throw new Error('no such table svc_events');
    };
    await expect(hostOn(database, trial).migrations.run()).rejects.toMatchObject(failure);
    database.before = () => {};
    const { emitted } = await migrated(hostOn(database, trial));
    expect(emitted.slice(2, 5)).toEqual([`ItemFailed ${key}`, 'BatchCompleted', 'BatchStarted']);
    expect(emitted.at(-2)).toBe(`ItemCompleted ${key}`);
  });

  it('is retried by the next start of the same storage, and then no longer counts as failed', async () => {
    failOnce(`apply ${key} (1)`, error);
    const { migrations } = hostOn(database, trial);
    await expect(migrations.run()).rejects.toMatchObject(failure);
    await migrations.run();
    expect(migrations.state.failed).toEqual([]);
    expect(statusOf(key)).toBe(MigrationStatus.Applied);
  });
});

it('a table that fails does not stop the start', async () => {
  failOnce(`apply ${ordersKey} (1)`, new Error('no room'));
  const { migrations } = hostOn(database, tableItem(orders()), trial);
  await migrations.run();
  expect(migrations.state.failed).toEqual([ordersKey]);
  expect(statusOf(key)).toBe(MigrationStatus.Applied);
  await migrations.run();
  expect(migrations.state.failed).toEqual([]);
  expect(statusOf(ordersKey)).toBe(MigrationStatus.Applied);
});

it('an unavailable database stops the start, and is no failure of an item', async () => {
  failOnce(`apply ${key} (1)`, gone);
  const { migrations, emitted } = hostOn(database, trial);
  await expect(migrations.run()).rejects.toBe(gone);
  expect(migrations.state.failed).toEqual([]);
  expect(emitted).toEqual([]);
  expect(database.calls.at(-1)).toBe('close schema');
});

it.each([
  ['has taken over the session', new SessionLostError()],
  ['has migrated an item', new SupersededError(key)],
])('a host continues its batch when another process %s', async (_what, error) => {
  failOnce(`apply ${second.key} (1)`, error);
  const { emitted } = await migrated(hostOn(database, trial, second));
  expect(emitted.filter((event) => event.startsWith('Batch'))).toEqual(['BatchStarted', 'BatchCompleted']);
  expect([key, second.key].map(statusOf)).toEqual([MigrationStatus.Applied, MigrationStatus.Applied]);
});

describe('after a host has crashed', () => {
  it('the next one resumes its batch', async () => {
    await endIn(`apply ${second.key} (1)`, hostOn(database, trial, second, third));
    const next = hostOn(database, trial, second, third);
    await next.migrations.run();
    expect(database.calls).toEqual([
      `recordSkipped ${key}`,
      'begin schema',
      `apply ${second.key} (1)`,
      `apply ${third.key} (1)`,
      'close schema',
    ]);
    await next.migrations.emitted();
    expect(next.emitted.filter((event) => event.startsWith('Batch'))).toEqual(['BatchStarted', 'BatchCompleted']);
  });

  it('the next one ends its batch, although everything is applied', async () => {
    await migrated(hostOn(database, second));
    await endIn('changeBatch', hostOn(database, trial, second));
    // Another batch that has ended does not hide it.
    database.open.unshift({
      ...database.open[0]!,
      streamId: newId(),
      isCompleted: true,
      items: [],
    });
    const next = await migrated(hostOn(database, trial, second));
    expect(next.emitted.at(-1)).toBe('BatchCompleted');
    expect(next.emitted).toContain(`ItemCompleted ${second.key}`);
    expect(database.open).toEqual([]);
  });

  it('a program with other items ends its batch without those that were not reached, and begins its own', async () => {
    await endIn(`apply ${second.key} (1)`, hostOn(database, trial, second));
    const next = hostOn(database, trial, third);
    await next.migrations.run();
    expect(database.calls).toEqual([
      `recordSkipped ${key}`,
      'begin schema',
      'startBatch',
      `apply ${third.key} (1)`,
      'changeBatch',
      'close schema',
    ]);
    await next.migrations.emitted();
    expect(next.emitted).toEqual([
      'BatchStarted',
      `ItemStarted ${key}`,
      `ItemCompleted ${key}`,
      'BatchCompleted',
      'BatchStarted',
      `ItemStarted ${key}`,
      `ItemCompleted ${key}`,
      `ItemStarted ${third.key}`,
      `ItemCompleted ${third.key}`,
      'BatchCompleted',
    ]);
  });

  it('a table that has failed in its batch is retried in a further one', async () => {
    const items = [tableItem(orders()), trial];
    const host = hostOn(database, ...items);
    database.before = (call) => {
      if (call === `apply ${ordersKey} (1)`) throw new Error('no room');
      return call === `apply ${key} (1)` ? ended : undefined;
    };
    void host.migrations.run();
    await expect.poll(() => database.calls.at(-1), { interval: 1 }).toBe(`apply ${key} (1)`);
    endProcess(database, host);
    const { migrations, emitted } = await migrated(hostOn(database, ...items));
    expect(migrations.state.failed).toEqual([]);
    expect(emitted.filter((event) => event.includes(ordersKey))).toEqual([
      `ItemStarted ${ordersKey}`,
      `ItemFailed ${ordersKey}`,
      `ItemStarted ${ordersKey}`,
      `ItemCompleted ${ordersKey}`,
    ]);
    expect(emitted.filter((event) => event === 'BatchCompleted')).toHaveLength(2);
  });

  it('a table that it was rewriting is rewritten in the same batch', async () => {
    await migrated(hostOn(database, tableItem(orders()), trial));
    const changed = [tableItem(orders([customer])), trial];
    await endIn(`copyBatch ${ordersKey}`, hostOn(database, ...changed));
    const next = hostOn(database, ...changed);
    await next.migrations.run();
    expect(next.migrations.state.inBackground).toEqual([ordersKey]);
    await next.migrations.idle();
    expect(database.calls).not.toContain('startBatch');
    expect(statusOf(ordersKey)).toBe(MigrationStatus.Updated);
    expect(next.emitted.filter((event) => event.startsWith('Batch'))).toEqual(['BatchStarted', 'BatchCompleted']);
  });
});
