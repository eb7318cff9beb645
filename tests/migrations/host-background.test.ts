/** What a host does after its start: it rewrites tables, and builds indexes, in the background. */
import { MigrationStatus } from '@svc/core';
import type { BackgroundIndex, SqlItem } from '@svc/core/storage';
import { beforeEach, describe, expect, it } from 'vitest';
import { ended, endProcess, gone, hostOn, MemoryDatabase, type Host } from './memory-database.js';
import { customer, firstStep, orders, sqlItem, tableItem, total } from './trial-tables.js';

const trial = sqlItem(firstStep);
const key = 'perspective/Orders';
const changed = tableItem(orders([customer]));

let database: MemoryDatabase;
beforeEach(() => void (database = new MemoryDatabase()));

/** Holds back this call until it is released. */
function holdBack(call: string): { readonly reached: () => Promise<void>; readonly release: () => void } {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let isReached = false;
  database.before = (called) => {
    if (called !== call) return;
    isReached = true;
    return released;
  };
  return { release, reached: async () => await expect.poll(() => isReached, { interval: 1 }).toBe(true) };
}
async function migrated(host: Host): Promise<Host> {
  await host.migrations.run();
  await host.migrations.idle();
  await host.migrations.emitted();
  host.emitted.length = 0;
  database.calls.length = 0;
  return host;
}
const status = () => database.stored!.get(key)!.status;
const idle = { isWaiting: false, inBackground: [], failed: [] };

describe('a table', () => {
  beforeEach(async () => void (await migrated(hostOn(database, tableItem(orders()), trial))));

  it('is rewritten after the start, and the batch ends with it', async () => {
    const { reached, release } = holdBack(`copyBatch ${key}`);
    const { migrations, emitted } = hostOn(database, changed, trial);
    await migrations.run();
    await reached();
    expect(migrations.state).toEqual({ ...idle, inBackground: [key] });
    expect(status()).toBe(MigrationStatus.MigratingInBackground);
    await migrations.emitted();
    expect(emitted).not.toContain('BatchCompleted');
    release();
    await migrations.idle();
    expect(migrations.state).toEqual(idle);
    expect(status()).toBe(MigrationStatus.Updated);
    expect(emitted.slice(-2)).toEqual([`ItemCompleted ${key}`, 'BatchCompleted']);
    expect(database.open).toEqual([]);
  });

  it('is rewritten once by hosts that start at the same time, in one batch', async () => {
    const { reached, release } = holdBack(`copyBatch ${key}`);
    const first = hostOn(database, changed, trial);
    await first.migrations.run();
    await reached();
    const second = hostOn(database, changed, trial);
    await second.migrations.run();
    expect(second.migrations.state).toEqual({ ...idle, inBackground: [key] });
    release();
    await Promise.all([first.migrations.idle(), second.migrations.idle()]);
    for (const call of ['startBatch', `prepareNext ${key}`, `swap ${key}`]) {
      expect(database.calls.filter((called) => called === call)).toHaveLength(1);
    }
    expect([...first.emitted, ...second.emitted].filter((event) => event === 'BatchCompleted')).toHaveLength(1);
    expect(second.migrations.state).toEqual(idle);
  });

  it('that cannot be copied is failed, and the next start retries it', async () => {
    database.before = (call) => {
      if (call === `swap ${key}`) throw new Error('no room');
    };
    const { migrations, emitted, reported } = hostOn(database, changed, trial);
    await migrations.run();
    await migrations.idle();
    expect(migrations.state).toEqual({ ...idle, failed: [key] });
    expect(status()).toBe(MigrationStatus.Failed);
    expect(emitted.slice(-2)).toEqual([`ItemFailed ${key}`, 'BatchCompleted']);
    // It is recorded.
    expect(reported).toEqual([]);
    database.before = () => {};
    await migrated(hostOn(database, changed, trial));
    expect(status()).toBe(MigrationStatus.Updated);
  });

  it('whose failure cannot be recorded is failed, and reported', async () => {
    const error = new Error('access denied');
    database.before = (call) => {
      if (call === `begin ${key}`) throw error;
    };
    const { migrations, reported } = hostOn(database, changed, trial);
    await migrations.run();
    await migrations.idle();
    expect(migrations.state).toEqual({ ...idle, failed: [key] });
    expect(reported).toEqual([error]);
  });

  it('is rewritten even if its events cannot be emitted, which is reported', async () => {
    const error = new Error('no such table svc_events');
    database.before = (call) => {
      if (call === 'emit') throw error;
    };
    const { migrations, reported } = hostOn(database, changed, trial);
    await migrations.run();
    await migrations.idle();
    expect(migrations.state).toEqual(idle);
    expect(status()).toBe(MigrationStatus.Updated);
    expect(reported).toEqual([error]);
  });

  it('is not failed when the host stops, and the next start resumes it', async () => {
    const { reached, release } = holdBack(`copyBatch ${key}`);
    const { migrations, reported } = hostOn(database, changed, trial);
    await migrations.run();
    await reached();
    let isStopped = false;
    const stopping = migrations.stop().then(() => (isStopped = true));
    await new Promise((resolve) => setImmediate(resolve));
    // The current batch of rows is completed.
    expect(isStopped).toBe(false);
    release();
    await stopping;
    expect(migrations.state).toEqual(idle);
    expect(reported).toEqual([]);
    expect(status()).toBe(MigrationStatus.MigratingInBackground);
    database.calls.length = 0;
    const next = await migrated(hostOn(database, changed, trial));
    expect(next.migrations.state).toEqual(idle);
    expect(status()).toBe(MigrationStatus.Updated);
    expect(database.open).toEqual([]);
  });

  it('waits for an unavailable database', async () => {
    let attempts = 0;
    database.before = (call) => {
      if (call === `copyBatch ${key}` && ++attempts === 1) throw gone;
    };
    const { migrations, reported } = hostOn(database, changed, trial);
    await migrations.run();
    await migrations.idle();
    expect(reported).toEqual([]);
    expect(attempts).toBeGreaterThan(1);
    expect(status()).toBe(MigrationStatus.Updated);
  });

  it('is taken over by a program with another target, whose start ends the batch of the crashed one', async () => {
    const crashed = hostOn(database, changed, trial);
    database.before = (call) => (call === `copyBatch ${key}` ? ended : undefined);
    await crashed.migrations.run();
    await expect.poll(() => database.calls.at(-1), { interval: 1 }).toBe(`copyBatch ${key}`);
    endProcess(database, crashed);
    database.calls.length = 0;
    const { migrations, emitted } = hostOn(database, tableItem(orders([customer, total])), trial);
    await migrations.run();
    expect(database.calls).toContain('startBatch');
    await migrations.idle();
    expect(status()).toBe(MigrationStatus.Updated);
    expect(database.stored!.get(key)!.definition).toContain('total');
    expect(emitted.filter((event) => event.includes(key) || event === 'BatchCompleted')).toEqual([
      `ItemStarted ${key}`,
      `ItemFailed ${key}`,
      'BatchCompleted',
      `ItemStarted ${key}`,
      `ItemCompleted ${key}`,
      'BatchCompleted',
    ]);
    expect(database.open).toEqual([]);
  });
});

describe('an index', () => {
  const byType: BackgroundIndex = { name: 'by_type', definition: 'trial (type)' };
  const byTime: BackgroundIndex = { name: 'by_time', definition: 'trial (time)' };
  const indexed: SqlItem = { ...trial, indexes: [byType, byTime] };
  const building = () => database.calls.filter((call) => call.startsWith('buildIndex'));

  it('that is missing is built after the start', async () => {
    database.missing = [byTime];
    const { reached, release } = holdBack('buildIndex by_time');
    const { migrations } = hostOn(database, indexed, tableItem(orders()));
    await migrations.run();
    await reached();
    expect(migrations.state).toEqual({ ...idle, inBackground: [indexed.key] });
    // Another start of the same storage does not build it again.
    await migrations.run();
    expect(migrations.state.inBackground).toEqual([indexed.key]);
    release();
    await migrations.idle();
    expect(building()).toEqual(['buildIndex by_time']);
    expect(database.calls).toContain(`begin ${indexed.key}`);
    expect(migrations.state).toEqual(idle);
  });

  it.each<[string, readonly BackgroundIndex[], SqlItem]>([
    ['exists', [], indexed],
    ['is that of no item', [byType], trial],
  ])('that %s is not built, and needs no session', async (_what, missing, item) => {
    database.missing = missing;
    await migrated(hostOn(database, item));
    await hostOn(database, item).migrations.run();
    expect(database.calls).toEqual([`recordSkipped ${item.key}`]);
  });

  it('that is missing is left to the owner by the runtime role', async () => {
    await migrated(hostOn(database, indexed));
    [database.missing, database.role] = [[byType], 'perspectives'];
    await migrated(hostOn(database, indexed));
    expect(building()).toEqual([]);
    database.role = 'infrastructure';
    const { migrations } = hostOn(database, indexed);
    await migrations.run();
    await migrations.idle();
    expect(building()).toEqual(['buildIndex by_type']);
  });

  it('that cannot be built is failed and reported, and the next start retries it', async () => {
    database.missing = [byType, byTime];
    const error = new Error('no room');
    database.before = (call) => {
      if (call === 'buildIndex by_type') throw error;
    };
    const { migrations, reported } = hostOn(database, indexed);
    await migrations.run();
    await migrations.idle();
    expect(migrations.state).toEqual({ ...idle, failed: [indexed.key] });
    expect(reported).toEqual([error]);
    database.before = () => {};
    await migrations.run();
    await migrations.idle();
    expect(migrations.state).toEqual(idle);
    expect(building()).toEqual(['buildIndex by_type', 'buildIndex by_type', 'buildIndex by_time']);
  });

  it('that is not built when the host stops is not failed', async () => {
    database.missing = [byType, byTime];
    const { reached, release } = holdBack('buildIndex by_type');
    const { migrations, reported } = hostOn(database, indexed);
    await migrations.run();
    await reached();
    const stopping = migrations.stop();
    release();
    await stopping;
    expect(migrations.state).toEqual(idle);
    expect(reported).toEqual([]);
    expect(building()).toEqual(['buildIndex by_type']);
  });
});
