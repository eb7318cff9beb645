/** Personal data are plain for the service, and encrypted in every byte that a database stores. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandAudited, EventAudited, newId } from '@svc/core';
import type { Storage } from '@svc/core/storage';
import { collect } from '@svc/core/testing';
import { svc } from '@svc/fastify';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createDatabase } from '../postgres/test-database.js';
import { records } from '../system-events/shop.js';
import { Customers } from './customers.js';

let customers: Customers;
beforeAll(async () => void (customers = await Customers.generate()));
afterAll(() => customers.remove());

const name = 'Ada Qvzlovelace';
const address = { street: '12 Qvzstreet', city: 'Qvzcity' };
const nicknames = ['Qvznick', 'ü "quoted"'];

interface Opened {
  readonly storage: Storage;
  /** Everything that the database stores, as text. */
  stored(): Promise<string>;
}

const databases: Record<string, () => Promise<Opened>> = {
  SQLite: () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-personal-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const files = (): string =>
      readdirSync(folder)
        .map((file) => readFileSync(join(folder, file), 'latin1'))
        .join('');
    return Promise.resolve({
      storage: sqlite({ file: join(folder, 'data.db') }),
      stored: () => Promise.resolve(files()),
    });
  },
  PostgreSQL: async () => {
    const database = await createDatabase();
    onTestFinished(() => database.remove());
    const stored = async (): Promise<string> => {
      const { rows } = await database.query(
        "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
      );
      const texts: string[] = [];
      for (const { name: table } of rows as { name: string }[]) {
        const all = await database.query(`SELECT t::text AS row FROM ${table} AS t`);
        texts.push(...(all.rows as { row: string }[]).map(({ row }) => row));
      }
      return texts.join('\n');
    };
    return { storage: postgres({ url: database.url }), stored };
  },
};

describe.each(Object.entries(databases))('on %s', (_name, open) => {
  it('encrypts personal data everywhere, and shows plain values to the service', async () => {
    const { storage, stored } = await open();
    const service = await customers.start(storage);
    onTestFinished(() => service.stop());
    const app = Fastify();
    await app.register(svc(service));
    const customerId = newId();
    const payload = { customerId, name, address, nicknames };
    const headers = { 'idempotency-key': newId() };
    const answers = [
      await app.inject({ method: 'POST', url: '/register', payload, headers }),
      await app.inject({ method: 'POST', url: '/register', payload, headers }),
    ];
    expect(answers.map(({ statusCode, body }) => [statusCode, JSON.parse(body) as unknown])).toEqual([
      [200, { customerId, name }],
      [200, { customerId, name }],
    ]);
    expect(answers[1]!.headers['idempotency-replayed']).toBe('true');
    for (const next of ['Qvzrenamed once', 'Qvzrenamed twice']) {
      await service.dispatcher.invoke(Object.assign(new customers.classes.Rename(), { customerId, name: next }));
    }
    await service.idle();

    const events = await collect(service.eventStore.readStream(customerId));
    expect(events.map(({ envelope }) => envelope.payload)).toMatchObject([
      { customerId, name, address, nicknames },
      { customerId, name: 'Qvzrenamed once' },
      { customerId, name: 'Qvzrenamed twice' },
    ]);
    expect(await service.lens(customers.classes.Customers).find(customerId)).toEqual({
      customerId,
      name: 'Qvzrenamed twice',
      city: 'Qvzcity',
      renamed: 2,
    });
    const audited = await records(service, EventAudited);
    expect(audited.map(({ originalBody }) => originalBody)).toContainEqual({ customerId, name, address, nicknames });
    const commands = await records(service, CommandAudited);
    expect(commands[0]!.commandBody).toEqual({ customerId, name, address, nicknames });

    const all = await stored();
    expect(all).toContain('svc-personal:1:');
    expect(all.match(/Qvz[a-z]{4}|the Later|quoted/)?.[0]).toBeUndefined();
  });
});
