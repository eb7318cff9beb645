/** Messages whose metadata no database can store: what they cost the host, and what becomes of the messages after them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService, InMemoryStorage, newId, type Service, type Uuid } from '@svc/core';
import { type Storage } from '@svc/core/storage';
import { InProcessTransport, type PublishedMessage } from '@svc/core/transport';
import { collect, receivedMessage } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Deposit, tillRegistry } from '../durability/till.js';
import { useDatabase, type TestDatabase } from '../postgres/test-database.js';

let database: TestDatabase;
let folder: string;
let services: Service[];
beforeEach(() => {
  services = [];
  folder = mkdtempSync(join(tmpdir(), 'svc-flawed-'));
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.stop()));
  rmSync(folder, { recursive: true });
});

const kinds: Record<string, () => Storage> = {
  memory: () => new InMemoryStorage(),
  sqlite: () => sqlite({ file: join(folder, 'data.db') }),
  postgres: () => postgres({ url: database.url }),
};

const deepList = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

async function host(kind: string) {
  const bus = new InProcessTransport();
  const reports: unknown[] = [];
  const service = createService(tillRegistry({}))
    .useStorage(kinds[kind]!())
    .useTransport(bus.host('till'))
    .acceptEvents({ from: 'another-host', namespaces: ['till'] })
    .acceptCommands({ from: 'another-host', commands: [Deposit] })
    .reportTo((error) => void reports.push(error))
    .start();
  services.push(service);
  await service.ready();
  const send = async (fields: Partial<PublishedMessage>): Promise<Uuid> => {
    const common = { type: 'till.Deposited', destination: 'till', origin: 'another-host', body: '{"amount":1}' };
    const { signature: _, ...message } = receivedMessage({ ...common, ...fields });
    await bus.host('another-host').publish([message]);
    return message.id;
  };
  const amountsIn = async (streamId: Uuid): Promise<number> =>
    (await collect(service.eventStore.readStream(streamId))).length;
  return { service, bus, reports, send, amountsIn };
}

describe.each(Object.keys(kinds))('on %s', (kind) => {
  if (kind === 'postgres') useDatabase((created) => (database = created));

  it.each<[string, PublishedMessage['metadata']]>([
    ['nested 8,000 levels deep', { x: deepList(8_000) }],
    ['with a tenant that contains U+0000', { svcTenant: 'a\0b' }],
    ['with half a surrogate pair in a key', { '\ud800': 1 }],
  ])('an event with metadata %s goes back to the broker at once, and delays no other', async (_, metadata) => {
    const { service, bus, reports, send, amountsIn } = await host(kind);
    const stream = newId();
    const bad = await send({ streamId: stream, metadata });
    await send({ streamId: stream, metadata: { x: deepList(99) } });
    await bus.idle();
    expect(await amountsIn(stream)).toBe(1);
    expect(bus.deadLetters.map(({ message: { id } }) => id)).toEqual([bad]);
    expect(await service.deadLetters.list()).toEqual([]);
    expect(reports).toMatchObject([{ code: 'SVC_MALFORMED_CLOUD_EVENT' }]);
  });

  it('a command with such metadata goes back to the broker, and the next one runs', async () => {
    const { service, bus, send } = await host(kind);
    const command = { type: 'till.Deposit', destination: 'inbox:till' };
    const bad = await send({ ...command, metadata: { x: deepList(8_000) } });
    await send(command);
    await bus.idle();
    expect(bus.deadLetters.map(({ message: { id } }) => id)).toEqual([bad]);
    expect(await service.deadLetters.list()).toEqual([]);
  });
});
