/** svc audit tail: a process that prints the audit while hosts append to it. */
import { SystemEventStream, type Service } from '@svc/core';
import type { AuditEntry } from '@svc/core/hosting';
import type { Storage } from '@svc/core/storage';
import { collect } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createCluster } from '../../tools/postgres/cluster.mjs';
import { useDatabases, type TrialDatabase } from '../migrations/databases.js';
import { ann, bob, pay, place, startShop } from './audited-shop.js';
import { emittedEvents } from './emitted.js';
import { startCommand, type Started } from './processes.js';

const databases = useDatabases();
const patience = { timeout: 30_000 };

type Printed = Omit<AuditEntry, 'at'> & { readonly at: string };

const printed = ({ output }: Started): Printed[] =>
  output
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Printed);

const storedIds = async (storage: Storage): Promise<string[]> =>
  (await collect(storage.readStream(SystemEventStream.streamId))).map(({ id }) => id);

/** Starts the command, and waits until it follows. */
async function startTail(where: string, ...args: string[]): Promise<Started> {
  const tail = startCommand('audit', 'tail', '--database', where, ...args);
  onTestFinished(() => void tail.child.kill('SIGKILL'));
  await expect.poll(() => tail.errors, patience).toContain('Following the audit of ');
  return tail;
}

async function interrupt(tail: Started): Promise<void> {
  tail.child.kill('SIGINT');
  expect([await tail.ended, tail.errors]).toEqual([0, expect.stringMatching(/^Following the audit of .*\n$/)]);
}

describe.each(Object.keys(databases))('svc audit tail on %s', (kind) => {
  let database: TrialDatabase;
  let services: Service[];
  beforeEach(async () => {
    database = await databases[kind]!();
    services = [await startShop(database.storage()), await startShop(database.storage())];
    await place(services[0]!, ann, 'earlier');
    await Promise.all(services.map((service) => service.idle()));
  });
  afterEach(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await database.remove();
  });

  it('prints each new record once, in the order of the log, while two hosts append', async () => {
    const storage = database.storage();
    const before = await storedIds(storage);
    const tail = await startTail(database.where, '--json', '--after', before.at(-1)!);
    const write = async (service: Service): Promise<void> => {
      for (let i = 0; i < 40; i++) await place(service, i % 2 === 0 ? ann : bob);
    };
    await Promise.all(services.flatMap((service) => [write(service), write(service), write(service)]));
    await Promise.all(services.map((service) => service.idle()));
    const expected = (await storedIds(storage)).slice(before.length);
    expect(expected.length).toBeGreaterThanOrEqual(6 * 40 * 2);
    await expect.poll(() => printed(tail).map(({ id }) => id), patience).toEqual(expected);
    await interrupt(tail);
  });

  it('prints a table of the records that match, and records the operator at its start and its end', async () => {
    const tail = await startTail(database.where, '--user', 'bob', '--level', 'Warning', '--as', 'olga');
    await tail.prints(/^time +user +tenant +kind +type +result +level +about +correlation +reason\n$/);
    await place(services[0]!, ann);
    const order = await place(services[0]!, bob);
    await pay(services[0]!, bob, order);
    await tail.prints(/ command +shop\.PayOrder /);
    await tail.prints(new RegExp(` bob \\(Bob\\) +globex +event +shop\\.OrderPaid +succeeded +Warning +${order}@1 `));
    expect(tail.output.split('\n')).toHaveLength(4);
    await interrupt(tail);
    const ofOlga = async (type: string) =>
      (await emittedEvents(database.storage(), type)).filter((event) => event['requestedBy'] === 'olga');
    await expect
      .poll(() => ofOlga('OperationEnded'), patience)
      .toMatchObject([{ kind: 'audit.tail', outcome: 'done' }]);
    expect(await ofOlga('OperationStarted')).toMatchObject([
      { kind: 'audit.tail', arguments: { user: 'bob', level: 'Warning', decrypted: false } },
    ]);
  });

  it('begins with stored records, and continues after a record, without a gap', async () => {
    const first = await startTail(database.where, '--json', '--from', '2026-01-01', '--type', 'shop.PlaceOrder');
    await expect.poll(() => printed(first).map(({ reason }) => reason), patience).toEqual(['earlier']);
    await place(services[0]!, ann, 'watched');
    await expect.poll(() => printed(first).map(({ reason }) => reason), patience).toEqual(['earlier', 'watched']);
    await interrupt(first);
    await place(services[1]!, ann, 'unwatched');
    const last = printed(first).at(-1)!.id;
    const second = await startTail(database.where, '--json', '--after', last, '--type', 'shop.PlaceOrder');
    await expect.poll(() => printed(second).map(({ reason }) => reason), patience).toEqual(['unwatched']);
    second.child.kill('SIGTERM');
    expect(await second.ended).toBe(0);
  });

  it('ends when the program that reads its output ends', async () => {
    const tail = await startTail(database.where, '--json');
    tail.child.stdout!.destroy();
    await place(services[0]!, ann);
    expect([await tail.ended, tail.errors]).toEqual([0, expect.stringMatching(/^Following the audit of .*\n$/)]);
  });

  it('rejects an --after that is not the id of a record', async () => {
    const unknown = '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d';
    const tail = startCommand('audit', 'tail', '--database', database.where, '--after', unknown);
    expect([await tail.ended, tail.output, tail.errors]).toEqual([
      1,
      '',
      expect.stringContaining(`Cannot follow the audit after ${unknown}`),
    ]);
  });
});

it('does not skip a record of a transaction that commits after later commands of others', async () => {
  const database = await databases['postgres']!();
  const storage = database.storage();
  const service = await startShop(storage);
  onTestFinished(async () => {
    await service.stop();
    await database.remove();
  });
  await place(service, ann);
  await service.idle();
  const before = await storedIds(storage);
  const tail = await startTail(database.where, '--json', '--after', before.at(-1)!);
  await tail.prints('svc.OperationStarted');
  const own = tail.output;
  const position = (await storedIds(storage)).length;
  const client = new pg.Client(database.where);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('BEGIN');
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO svc_events (id, stream_id, position, type, body, timestamp, correlation_id, metadata)
     VALUES (gen_random_uuid(), '${SystemEventStream.streamId}', ${position}, 'test.Noted', '{}', now(), gen_random_uuid(), '{}')
     RETURNING id`,
  );
  for (let i = 0; i < 5; i++) await place(service, bob);
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect.poll(async () => (await database.query(waiting)).length, patience).toBeGreaterThan(0);
  expect(tail.output).toBe(own);
  await client.query('COMMIT');
  await service.idle();
  const expected = (await storedIds(storage)).slice(before.length);
  expect([expected.length, expected[1]]).toEqual([12, rows[0]!.id]);
  await expect.poll(() => printed(tail).map(({ id }) => id), patience).toEqual(expected);
  await interrupt(tail);
});

it('survives restarts of PostgreSQL, prints every record once, and reports an end that it cannot record', async () => {
  const cluster = await createCluster();
  onTestFinished(() => cluster.remove());
  const storage = postgres({ url: cluster.url, resolveTimeoutMs: 1_500, pollMs: 300, leaseMs: 500 });
  const service = await startShop(storage);
  onTestFinished(() => service.stop());
  await place(service, ann);
  await service.idle();
  const before = await storedIds(storage);
  const tail = await startTail(cluster.url, '--json', '--after', before.at(-1)!);
  for (const mode of ['fast', 'immediate'] as const) {
    const seen = tail.errors.length;
    await place(service, ann);
    await cluster.stop(mode);
    await expect.poll(() => tail.errors.slice(seen), patience).toMatch(/ does not answer .*\. Retrying\.\n$/);
    await cluster.start();
    await expect.poll(() => tail.errors.slice(seen), patience).toMatch(/ answers again\.\n$/);
    expect(tail.errors.slice(seen).match(/\n/g)).toHaveLength(2);
    await expect.poll(() => place(service, bob).catch(() => null), patience).not.toBeNull();
  }
  await service.idle();
  const expected = (await storedIds(storage)).slice(before.length);
  expect(expected.length).toBeGreaterThanOrEqual(8);
  await expect.poll(() => printed(tail).map(({ id }) => id), patience).toEqual(expected);

  const seen = tail.errors.length;
  await cluster.stop('immediate');
  await expect.poll(() => tail.errors.slice(seen), patience).toContain('Retrying.');
  tail.child.kill('SIGINT');
  expect([await tail.ended, tail.errors.slice(seen)]).toEqual([
    6,
    expect.stringContaining('The action was done: audit.tail by '),
  ]);
  await cluster.start();
});
