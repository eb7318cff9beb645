/** How a running system introduces trust: the order of the upgrade, and new keys, under traffic and over RabbitMQ. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService, newId, type Service } from '@svc/core';
import { unprovenHosts, type AcceptedHost, type SigningKey, type VerifyingKey } from '@svc/core/transport';
import { collect, eventually, transportMessage } from '@svc/core/testing';
import type { RabbitMqOptions } from '@svc/rabbitmq';
import { sqlite } from '@svc/sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PlaceOrder, shopRegistry, type OrderPlaced } from '../system-events/shop.js';
import { brokerUserUrl, TestBroker } from './test-broker.js';

let broker: TestBroker;
let folder: string;
let services: Set<Service>;
let traffic: Traffic;

beforeEach(async () => {
  broker = new TestBroker(await brokerUserUrl('operator'));
  folder = mkdtempSync(join(tmpdir(), 'svc-rolling-'));
  services = new Set();
});
afterEach(async () => {
  await traffic.end();
  await Promise.all([...services].map((service) => service.stop()));
  await broker.close();
  rmSync(folder, { recursive: true });
});

interface Host extends Partial<RabbitMqOptions> {
  readonly accepts?: readonly AcceptedHost[];
  readonly signs?: SigningKey;
  readonly verifies?: readonly VerifyingKey[];
}

/** A host of the shop on its own database. Two of one name share it, as while one replaces the other. */
async function started(name: string, { accepts = [], signs, verifies, ...options }: Host = {}): Promise<Service> {
  const url = await brokerUserUrl(name);
  const service = createService(shopRegistry())
    .useStorage(sqlite({ file: join(folder, `${name}.db`), pollMs: 20 }))
    .useTransport(broker.transport(name, { url, ...options }))
    .reportTo(() => {});
  if (accepts.length > 0) service.acceptEvents({ from: accepts, namespaces: ['shop'] });
  if (signs !== undefined) service.signMessages(signs);
  if (verifies !== undefined) service.verifyMessages({ from: 'north', keys: verifies });
  services.add(service.start());
  await service.ready();
  return service;
}

async function stop(service: Service): Promise<void> {
  services.delete(service);
  await service.stop();
}

async function replace(before: Service, name: string, host: Host): Promise<Service> {
  const after = await started(name, host);
  await stop(before);
  return after;
}

async function notesIn(service: Service): Promise<string[]> {
  const events = await collect(service.eventStore.readAll());
  return events.map(({ envelope }) => (envelope.payload as OrderPlaced).note);
}

/** Places orders one after the other, on the current host. */
class Traffic {
  host: Service;
  readonly notes: string[] = [];
  #isOver = false;
  readonly #running: Promise<void>;

  constructor(host: Service) {
    this.host = host;
    this.#running = this.#run();
  }

  /** Resolves once so many more were placed. */
  more(count: number): Promise<void> {
    const wanted = this.notes.length + count;
    return eventually(() => this.notes.length >= wanted, `${count} more orders`);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      const note = newId();
      await this.host.dispatcher.invoke(Object.assign(new PlaceOrder(), { note }));
      this.notes.push(note);
      // Not faster than the receiver, which the test reads again and again.
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

/** Resolves once all orders placed so far have arrived. */
async function arrived(service: Service): Promise<void> {
  const placed = [...traffic.notes];
  const isThere = async (): Promise<boolean> => {
    const notes = new Set(await notesIn(service));
    return placed.every((note) => notes.has(note));
  };
  await eventually(isThere, 'what was placed so far');
}

async function unprovenEvents(service: Service): Promise<number> {
  const events = await collect(service.eventStore.readAll());
  return events.filter(({ envelope }) => envelope.metadata['origin'] === null).length;
}

/** The description of the subscriptions check. */
async function unproven(service: Service): Promise<unknown> {
  const { entries } = await service.health.run(({ name }) => name === 'subscriptions');
  return entries[0]!.data?.['unproven'];
}

it.each<[string, () => readonly [SigningKey, VerifyingKey]]>([
  ['a shared secret', () => sharedKey()],
  ['an Ed25519 pair', () => pairOfKeys()],
])(
  'a key is replaced under traffic without a lost message: %s',
  async (_, makeKey) => {
    const [[oldKey, oldVerifier], [newKey, newVerifier]] = [makeKey(), makeKey()];
    const accepts = ['north'];
    let south = await started('south', { accepts, verifies: [oldVerifier] });
    let north = await started('north', { signs: oldKey });
    traffic = new Traffic(north);
    await traffic.more(50);
    // First the receiver knows both, then the sender signs with the new one, then the receiver forgets the old one.
    south = await replace(south, 'south', { accepts, verifies: [oldVerifier, newVerifier] });
    await traffic.more(50);
    const successor = await started('north', { signs: newKey });
    traffic.host = successor;
    await traffic.more(50);
    await stop(north);
    north = successor;
    const signedWithOld = [...traffic.notes];
    await eventually(
      async () => (await notesIn(south)).length >= signedWithOld.length,
      'what was signed with the old key',
    );
    south = await replace(south, 'south', { accepts, verifies: [newVerifier] });
    await traffic.more(50);
    await traffic.end();
    await arrived(south);
    expect((await notesIn(south)).toSorted()).toEqual(traffic.notes.toSorted());
    expect(await south.deadLetters.list()).toEqual([]);
  },
  120_000,
);

it('a running system is upgraded in order: publish with proof, verify that nothing arrives without, then declare', async () => {
  // What a host of the previous version publishes has neither a user nor a signature.
  const previous = { userId: null };
  let south = await started('south', { accepts: [unprovenHosts] });
  let north = await started('north', previous);
  traffic = new Traffic(north);
  await traffic.more(20);
  await eventually(async () => (await notesIn(south)).length > 0, 'messages without a proof');
  await expect.poll(() => unproven(south), { timeout: 10_000 }).toBeGreaterThan(0);
  const [first] = await collect(south.eventStore.readAll());
  expect(first!.envelope.metadata).toMatchObject({ origin: null, claimedOrigin: 'north' });

  const upgraded = await started('north');
  traffic.host = upgraded;
  await traffic.more(1);
  await stop(north);
  north = upgraded;
  await traffic.more(20);
  await arrived(south);
  const before = await unprovenEvents(south);
  await traffic.more(20);
  await arrived(south);
  expect(await unprovenEvents(south), 'nothing comes without a proof any more').toBe(before);
  await expect.poll(() => unproven(south), { timeout: 10_000 }).toBeGreaterThanOrEqual(before);

  south = await replace(south, 'south', { accepts: ['north'] });
  await traffic.more(20);
  await traffic.end();
  await arrived(south);
  expect((await notesIn(south)).toSorted()).toEqual(traffic.notes.toSorted());
  const last = (await collect(south.eventStore.readAll())).at(-1)!;
  expect(last.envelope.metadata).toEqual({ origin: 'north' });
  expect(await south.deadLetters.list()).toEqual([]);

  // A host that was forgotten loses nothing: what it publishes waits as dead letters.
  const late = transportMessage({
    type: 'shop.OrderPlaced',
    destination: 'shop',
    origin: 'north',
    body: '{"note":"late"}',
  });
  await broker.publishAs('north', late, `${broker.prefix}shop`, 'shop.OrderPlaced');
  await eventually(async () => (await south.deadLetters.list()).length === 1, 'a dead letter');
  const [letter] = await south.deadLetters.list();
  expect(letter).toMatchObject({ cause: 'UnprovenOrigin', message: { id: late.id } });
}, 120_000);

function sharedKey(): readonly [SigningKey, VerifyingKey] {
  const key = { id: newId(), secret: randomBytes(32) };
  return [key, key];
}

function pairOfKeys(): readonly [SigningKey, VerifyingKey] {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const id = newId();
  return [
    { id, privateKey },
    { id, publicKey },
  ];
}
