/** The storage behind PgBouncer in transaction mode, where each transaction may use another session of the server. */
import { newId } from '@svc/core';
import { capabilityContracts, commitRecord, contractOf, pendingRecord } from '@svc/core/testing';
import { postgres, type PostgresOptions, type PostgresStorage } from '@svc/postgres';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPooler, type Pooler } from '../../tools/pgbouncer/pooler.mjs';
import { note, notes, placed, startProgram } from '../migrations/notes.js';
import { place } from '../perspectives/perspective-shop.js';
import { createDatabase, createOwnedDatabase, type TestDatabase } from './test-database.js';
import { createSeparatedDatabase } from './two-roles.js';

let database: TestDatabase;
let pooler: Pooler;
let opened: PostgresStorage[] = [];

beforeAll(async () => {
  database = await createOwnedDatabase();
  pooler = await createPooler(database.url, { default_pool_size: '4', server_round_robin: '1' });
});
afterAll(async () => {
  await pooler.remove();
  await database.remove();
});
beforeEach(async () => {
  await database.reset();
  // The open sessions use the previous schema.
  await adminCommand('RECONNECT');
});
afterEach(async () => {
  await Promise.all(opened.map((storage) => storage.close()));
  opened = [];
});

function storageWith(options: Partial<PostgresOptions> = {}): PostgresStorage {
  const storage = postgres({ url: pooler.url, listenUrl: database.url, ...options });
  opened.push(storage);
  return storage;
}

async function open(options: Partial<PostgresOptions> = {}): Promise<PostgresStorage> {
  const storage = storageWith(options);
  await storage.open();
  return storage;
}

/** The URL with a host before its own on which no server listens. */
function afterAbsent(url: string): string {
  return `${url.replace('@', '@127.0.0.1:1,')}${url.includes('?') ? '&' : '?'}target_session_attrs=read-write`;
}

/** Runs a command on the console of the pooler. */
async function adminCommand(command: string): Promise<pg.QueryResult> {
  const client = new pg.Client(pooler.adminUrl);
  await client.connect();
  try {
    return await client.query(command);
  } finally {
    await client.end();
  }
}

const hour = 3_600_000;

const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 2 ** 31);
const share = 8;
const contract = contractOf(postgres({ url: 'postgres://127.0.0.1/unopened' }));
/** A COPY is sent in another way than other statements. */
const copying = new Set(capabilityContracts.seals);
/** An eighth of the contract, another one in each run; the whole contract with SVC_TEST_CONTRACT=whole. */
const cases =
  process.env['SVC_TEST_CONTRACT'] === 'whole'
    ? contract
    : contract.filter((one, i) => i % share === seed % share || copying.has(one));

describe(`the PostgreSQL storage behind PgBouncer in transaction mode (SVC_TEST_SEED=${seed})`, () => {
  it.each(cases)('$name', async ({ run }) => {
    await expect(run(() => open())).resolves.toBeUndefined();
  });
});

it('commits and reads over several sessions at once', async () => {
  const storages = await Promise.all(Array.from({ length: 4 }, () => open()));
  await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const event = pendingRecord(newId());
      await storages[i % 4]!.commit(commitRecord({ events: [event] }));
      expect(await storages[(i + 1) % 4]!.lastPosition(event.streamId)).toBe(0);
    }),
  );
  const { rows } = (await adminCommand('SHOW SERVERS')) as { rows: { database: string }[] };
  expect(rows.filter((row) => database.url.endsWith(row.database)).length).toBeGreaterThan(1);
});

it('wakes another host through listenUrl', async () => {
  const [listening, other] = [await open({ pollMs: hour }), await open({ pollMs: hour })];
  let raised = 0;
  listening.notifications.onOutgoing(() => raised++);
  await listening.connection.ping();
  await listening.leases.hold('a');
  const before = raised;
  other.notifications.wakeHolders('a');
  await expect.poll(() => raised, { timeout: 30_000 }).toBeGreaterThan(before);
});

it('finds the pooler and the server among several hosts of both URLs', async () => {
  const [listening, other] = await Promise.all(
    [1, 2].map(async () => {
      const storage = storageWith({ url: afterAbsent(pooler.url), listenUrl: afterAbsent(database.url), pollMs: hour });
      await storage.open();
      return storage;
    }),
  );
  const event = pendingRecord(newId());
  await other!.commit(commitRecord({ events: [event] }));
  expect(await listening!.lastPosition(event.streamId)).toBe(0);
  let raised = 0;
  listening!.notifications.onOutgoing(() => raised++);
  await listening!.leases.hold('a');
  await expect
    .poll(() => (other!.notifications.wakeHolders('a'), raised), { timeout: 30_000, interval: 100 })
    .toBeGreaterThan(1);
});

it('renews leases without the pooler', async () => {
  const storage = await open();
  storage.notifications.onOutgoing(() => {});
  await storage.leases.hold('a');
  await adminCommand('PAUSE');
  try {
    expect(await storage.leases.hold('b')).toBe(true);
  } finally {
    await adminCommand('RESUME');
  }
});

describe('rejects at start', () => {
  const misconfigured = { code: 'SVC_STORAGE_MISCONFIGURED' };

  it('a pooler without listenUrl, because of the settings that it does not accept', async () => {
    const opening = storageWith({ listenUrl: null }).open();
    await expect(opening).rejects.toMatchObject({
      ...misconfigured,
      message: expect.stringContaining('"listenUrl"') as string,
    });
  });

  it.each(['0', '1'])(
    'a pooler without listenUrl that ignores the settings (server_round_robin = %s)',
    async (inTurn) => {
      const ignoring = await createPooler(database.url, {
        ignore_startup_parameters: 'options',
        server_round_robin: inTurn,
      });
      try {
        const storage = storageWith({ url: ignoring.url, listenUrl: null });
        const message = expect.stringContaining('gives each transaction another session') as string;
        await expect(storage.open()).rejects.toMatchObject({ ...misconfigured, message });
        await storage.close();
      } finally {
        await ignoring.remove();
      }
    },
  );

  it('a listenUrl that is a pooler too', async () => {
    const opening = storageWith({ listenUrl: pooler.url }).open();
    await expect(opening).rejects.toMatchObject(misconfigured);
  });

  it('a listenUrl of another database', async () => {
    const other = await createDatabase();
    try {
      const message = expect.stringContaining('not a URL of the same database') as string;
      await expect(storageWith({ listenUrl: other.url }).open()).rejects.toMatchObject({ ...misconfigured, message });
    } finally {
      await other.remove();
    }
  });
});

it('accepts a pooler in session mode without listenUrl', async () => {
  const inSessions = await createPooler(database.url, { pool_mode: 'session', ignore_startup_parameters: 'options' });
  try {
    const storage = await open({ url: inSessions.url, listenUrl: null });
    const event = pendingRecord(newId());
    await storage.commit(commitRecord({ events: [event] }));
    expect(await storage.lastPosition(event.streamId)).toBe(0);
    await storage.close();
  } finally {
    await inSessions.remove();
  }
});

it('serves, rebuilds and migrates models as the runtime role', async () => {
  const roles = await createSeparatedDatabase();
  const pooled = await createPooler(roles.url, { default_pool_size: '4', server_round_robin: '1' });
  try {
    const start = (descriptor: ReturnType<typeof notes>) =>
      startProgram(postgres({ url: pooled.url, listenUrl: roles.url, separateRoles: true }), descriptor);
    const first = await start(notes([placed]));
    const order = await place(first.service, 'pooled');
    await first.service.idle();
    await first.service.rebuildPerspective(first.perspective);
    expect(await first.lens.find(order)).toMatchObject({ note: 'pooled' });
    await first.service.stop();
    const second = await start(notes([note, placed]));
    await second.storage.migrations.idle();
    expect(await second.lens.list({ where: { note: 'pooled' } })).toHaveLength(1);
    await second.service.stop();
    expect([...first.reported, ...second.reported]).toEqual([]);
  } finally {
    await pooled.remove();
    await roles.remove();
  }
});
