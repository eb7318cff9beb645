/** Received messages that the database rejects: how many rounds and commits they cost, and what becomes of the messages around them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService, InMemoryStorage, newId, type Service, type Uuid } from '@svc/core';
import { type CommitRecord, type Storage } from '@svc/core/storage';
import { type ReceivedMessage, type ReceiveMessages } from '@svc/core/transport';
import { collect, receivedMessage } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tillRegistry } from '../durability/till.js';
import { useDatabase, type TestDatabase } from '../postgres/test-database.js';

const attemptsOfOne = 10;
/** Amounts from here on are rejected by the database, and those from the second on with another error. */
const [tooMuch, farTooMuch] = [1_000, 10_000];

let database: TestDatabase;
let folder: string;
let services: Service[];
beforeEach(() => {
  services = [];
  folder = mkdtempSync(join(tmpdir(), 'svc-unstorable-'));
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.stop()));
  rmSync(folder, { recursive: true });
});

/** Looks at the messages before the amounts, as databases do. */
class Rejecting extends InMemoryStorage {
  readonly #received = new Set<Uuid>();

  override commit(record: CommitRecord): void {
    const { events, received } = record;
    const most = Math.max(0, ...events.map(({ body }) => (JSON.parse(body) as { amount?: number }).amount ?? 0));
    const isNew = !received.some((id) => this.#received.has(id));
    if (isNew && most >= farTooMuch) throw new TypeError('far too much');
    if (isNew && most >= tooMuch) throw new RangeError('too much');
    super.commit(record);
    for (const id of received) this.#received.add(id);
  }
}

/** Storages that reject amounts: a trigger does so where there is a database. */
const kinds: Record<string, () => Promise<Storage>> = {
  memory: () => Promise.resolve(new Rejecting()),
  sqlite: async () => {
    const file = join(folder, 'data.db');
    const storage = sqlite({ file });
    await storage.open();
    execute(
      file,
      `CREATE TRIGGER far_too_much BEFORE INSERT ON svc_events WHEN NEW.body->>'$.amount' >= ${farTooMuch}
       BEGIN SELECT abs(-9223372036854775808); END;
       CREATE TRIGGER too_much BEFORE INSERT ON svc_events
       WHEN NEW.body->>'$.amount' >= ${tooMuch} AND NEW.body->>'$.amount' < ${farTooMuch}
       BEGIN SELECT RAISE(ABORT, 'too much'); END;`,
    );
    return storage;
  },
  postgres: async () => {
    const storage = postgres({ url: database.url });
    await storage.open();
    await database.query(
      `CREATE FUNCTION reject() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF (NEW.body->>'amount')::numeric >= ${farTooMuch} THEN RAISE numeric_value_out_of_range; END IF;
         IF (NEW.body->>'amount')::numeric >= ${tooMuch} THEN RAISE EXCEPTION 'too much: %', NEW.id; END IF;
         RETURN NEW;
       END $$;
       CREATE TRIGGER too_much BEFORE INSERT ON svc_events FOR EACH ROW EXECUTE FUNCTION reject();`,
    );
    return storage;
  },
};

function execute(file: string, statements: string): void {
  const engine = (process.getBuiltinModule?.('node:sqlite') ??
    createRequire(import.meta.url)('@photostructure/sqlite')) as {
    DatabaseSync: new (path: string) => { exec(sql: string): void; close(): void };
  };
  const connection = new engine.DatabaseSync(file);
  connection.exec(statements);
  connection.close();
}

/** A host whose commits of events are counted. */
async function start(kind: string) {
  const storage = await kinds[kind]!();
  const counted = { commits: 0 };
  const commit = storage.commit.bind(storage);
  storage.commit = (record) => {
    if (record.events.length > 0) counted.commits++;
    return commit(record);
  };
  let receive: ReceiveMessages = () => expect.fail('no subscription');
  const service = createService(tillRegistry({}))
    .useStorage(storage)
    .useTransport({
      canProve: () => true,
      publish: () => Promise.resolve(),
      subscribe: (_interest, receiver) => {
        receive = receiver;
        return Promise.resolve({ isUp: true, close: () => Promise.resolve() });
      },
    })
    .acceptEvents({ from: 'another-host', namespaces: ['till'] })
    .reportTo(() => {})
    .start();
  services.push(service);
  await service.ready();

  /** Hands a batch over until it is taken, as transports do, and says how many rounds and commits that took. */
  const handOver = async (batch: readonly ReceivedMessage[]): Promise<{ rounds: number; commits: number }> => {
    counted.commits = 0;
    for (let rounds = 1; rounds < 100; rounds++) {
      const isDone = await receive(batch).then(
        () => true,
        () => false,
      );
      if (isDone) return { rounds, commits: counted.commits };
    }
    return expect.fail('it is never taken');
  };
  const amounts = async (streamId: Uuid): Promise<number[]> => {
    const events = await collect(service.eventStore.readStream(streamId));
    return events.map(({ envelope }) => (envelope.payload as { amount: number }).amount);
  };
  const letters = async (): Promise<{ amount: number; attempts: number; cause: string }[]> => {
    const all = await service.deadLetters.list();
    return all.map(({ message, attempts, cause }) => {
      return { amount: (JSON.parse(message.body) as { amount: number }).amount, attempts, cause };
    });
  };
  return { handOver, amounts, letters };
}

const deposited = (streamId: Uuid, amount: number): ReceivedMessage =>
  receivedMessage({
    type: 'till.Deposited',
    destination: 'till',
    origin: 'another-host',
    streamId,
    body: JSON.stringify({ amount }),
  });

describe.each(Object.keys(kinds))('on %s', (kind) => {
  if (kind === 'postgres') useDatabase((created) => (database = created));
  it('dead-letters several unstorable messages of one stream in the rounds of one, and stores the rest in order', async () => {
    const { handOver, amounts, letters } = await start(kind);
    const [stream, other] = [newId(), newId()];
    const bad = [3, 4, 7, 8, 9, 15].map((i) => tooMuch + i);
    const batch = Array.from({ length: 20 }, (_, i) => [
      deposited(stream, bad.includes(tooMuch + i) ? tooMuch + i : i),
      deposited(other, i),
    ]).flat();
    const { rounds } = await handOver(batch);
    expect(rounds).toBe(attemptsOfOne);
    expect(await amounts(stream)).toEqual([0, 1, 2, 5, 6, 10, 11, 12, 13, 14, 16, 17, 18, 19]);
    expect(await amounts(other)).toEqual(Array.from({ length: 20 }, (_, i) => i));
    expect((await letters()).map(({ amount, attempts }) => [amount, attempts])).toEqual(
      bad.map((amount, i) => [amount, i === 0 ? attemptsOfOne : 1]),
    );
    expect((await handOver(batch)).rounds, 'a batch that comes again').toBe(1);
    expect(await letters(), 'nothing twice').toHaveLength(bad.length);
    expect(await amounts(stream)).toHaveLength(14);
  });

  it('does not commit again what is stored while a message of another stream is retried', async () => {
    const { handOver, letters } = await start(kind);
    const batch = Array.from({ length: 64 }, (_, i) => deposited(newId(), i === 40 ? tooMuch : i));
    const { rounds, commits } = await handOver(batch);
    expect(rounds).toBe(attemptsOfOne);
    // The first round finds it by halves; the other rounds try it alone.
    expect(commits).toBeLessThanOrEqual(2 * Math.log2(64) + 1 + (attemptsOfOne - 1));
    expect(await letters()).toHaveLength(1);
  });

  it('retries a message that fails for another reason than the one given up before it in its stream', async () => {
    const { handOver, amounts, letters } = await start(kind);
    const stream = newId();
    const batch = [tooMuch, farTooMuch, 1, tooMuch + 1, farTooMuch + 1].map((amount) => deposited(stream, amount));
    const { rounds } = await handOver(batch);
    expect(rounds, 'ten rounds for each kind of failure').toBe(2 * attemptsOfOne - 1);
    expect(await amounts(stream)).toEqual([1]);
    expect((await letters()).map(({ amount }) => amount)).toEqual([tooMuch, farTooMuch, tooMuch + 1, farTooMuch + 1]);
  });
});
