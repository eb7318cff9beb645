/** The small shop with seals, on SQLite and PostgreSQL, and a way to change its database as its owner can. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { createService, newId, type SealOptions, type Service, type Uuid } from '@svc/core';
import { sealedLogOf, verifySeals, type Verification, type VerifyOptions } from '@svc/core/hosting';
import type { Storage, StoredRecord } from '@svc/core/storage';
import { wrap } from '@svc/core/testing';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { afterAll, beforeAll, describe, onTestFinished, vi } from 'vitest';
import { createDatabase, type TestDatabase } from '../postgres/test-database.js';
import { OrderPlaced, shopRegistry } from '../system-events/shop.js';

/** A database whose owner changes it behind the back of svc. */
export interface OwnedStore {
  readonly address: string;
  open(leaseMs?: number): Storage & { readonly seals: NonNullable<Storage['seals']> };
  /** Runs statements without the triggers that protect the log. */
  tamper(sql: string): Promise<void>;
}

type Define = (fresh: () => Promise<OwnedStore>, name: 'SQLite' | 'PostgreSQL') => void;

export function describeDatabases(define: Define): void {
  describe('in SQLite', () => {
    const folders: string[] = [];
    afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));
    define(() => {
      const folder = mkdtempSync(join(tmpdir(), 'svc-seals-'));
      folders.push(folder);
      const file = join(folder, 'data.db');
      return Promise.resolve({
        address: file,
        open: (leaseMs) => closed(sqlite({ file, ...(leaseMs !== undefined && { leaseMs }) })),
        tamper: (sql) => Promise.resolve(tamperWithFile(file, sql)),
      });
    }, 'SQLite');
  });

  describe('in PostgreSQL', () => {
    let database: TestDatabase;
    beforeAll(async () => void (database = await createDatabase()));
    afterAll(() => database.remove());
    define(async () => {
      await database.reset();
      return {
        address: database.url,
        open: (leaseMs) => closed(postgres({ url: database.url, ...(leaseMs !== undefined && { leaseMs }) })),
        tamper: async (sql) => {
          const tables = ['svc_events', 'svc_seals'];
          const set = (what: string): string =>
            tables.map((table) => `ALTER TABLE ${table} ${what} TRIGGER ALL`).join(';');
          await database.query(`BEGIN; ${set('DISABLE')}; ${sql}; ${set('ENABLE')}; COMMIT`);
        },
      };
    }, 'PostgreSQL');
  });
}

interface Sqlite {
  exec(sql: string): void;
  prepare(sql: string): { all(): readonly Readonly<Record<string, unknown>>[] };
  close(): void;
}

function tamperWithFile(file: string, sql: string): void {
  const builtIn = process.getBuiltinModule('node:sqlite') as unknown;
  const { DatabaseSync } = (builtIn ?? createRequire(import.meta.url)('@photostructure/sqlite')) as {
    DatabaseSync: new (file: string) => Sqlite;
  };
  const database = new DatabaseSync(file);
  const triggers = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all();
  database.exec('BEGIN IMMEDIATE');
  for (const { name } of triggers) database.exec(`DROP TRIGGER "${String(name)}"`);
  database.exec(sql);
  for (const { sql: text } of triggers) database.exec(String(text));
  database.exec('COMMIT');
  database.close();
}

function closed<T extends Storage>(storage: T): T {
  onTestFinished(() => storage.close());
  return storage;
}

export function newKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}

/** Stopped when the test has ended. */
export async function sealingShop(
  storage: Storage,
  options: Partial<SealOptions> = {},
  report: (error: unknown) => void = () => {},
): Promise<Service> {
  const service = createService(shopRegistry())
    .useStorage(storage)
    .addSystemEventAuditing((events) => events.enableAll())
    .addSeals({ keys: [newKey()], everyMs: 20, ...options })
    .reportTo(report);
  onTestFinished(() => service.stop());
  service.start();
  await service.ready();
  return service;
}

export async function place(service: Service, note: string, streamId: Uuid = newId()): Promise<Uuid> {
  await service.eventStore.append(streamId, wrap('shop.OrderPlaced', Object.assign(new OrderPlaced(), { note })));
  return streamId;
}

/** Waits until the seals cover everything but reports of seals. */
export async function allSealed(storage: Storage): Promise<void> {
  await vi.waitFor(
    async () => {
      const last = await storage.seals!.readLast();
      if (last === null) throw new Error('Nothing is sealed.');
      for await (const { type } of storage.readAll(last.lastSequence)) {
        if (type !== 'svc.LogSealed') throw new Error(`${type} is not sealed.`);
      }
    },
    { timeout: 15_000, interval: 20 },
  );
}

export async function recordsOf(storage: Storage): Promise<readonly StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const record of storage.readAll()) records.push(record);
  return records;
}

export async function verified(store: OwnedStore, options: VerifyOptions = {}): Promise<Verification> {
  const storage = store.open();
  try {
    return await verifySeals(sealedLogOf(storage), options);
  } finally {
    await storage.close();
  }
}
