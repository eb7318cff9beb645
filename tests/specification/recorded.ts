/** Tables of the specification as tests: a service runs once on each storage, and each case looks at what it recorded there. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemoryStorage, type Service } from '@svc/core';
import { type Storage } from '@svc/core/storage';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../postgres/test-database.js';

/** One case per row, named after the row. */
export type Rows<T> = Readonly<Record<string, (recorded: T) => void>>;

const storages: Readonly<Record<string, <T>(use: (storage: Storage) => Promise<T>) => Promise<T>>> = {
  memory: (use) => use(new InMemoryStorage()),
  async SQLite(use) {
    const folder = mkdtempSync(join(tmpdir(), 'svc-specification-'));
    return await use(sqlite({ file: join(folder, 'data.db') })).finally(() => rmSync(folder, { recursive: true }));
  },
  async PostgreSQL(use) {
    const database = await createDatabase();
    try {
      return await use(postgres({ url: database.url }));
    } finally {
      await database.remove();
    }
  },
};

/** `record` runs a service on a storage, stops it, and resolves with what the cases look at. */
export function describeRecords<T>(record: (storage: Storage) => Promise<T>, rows: Rows<T>): void {
  describe.each(Object.keys(storages))('in %s', (name) => {
    testRows(() => storages[name]!(record), rows);
  });
}

/** Records once, for all rows. */
export function testRows<T>(record: () => Promise<T>, rows: Rows<T>): void {
  let recorded: T;
  beforeAll(async () => void (recorded = await record()));
  it.each(Object.entries(rows))('%s', (_row, check) => {
    expect.hasAssertions();
    check(recorded);
  });
}

/** Stops a service once `use` is done with it. */
export async function whileRunning<T>(service: Service, use: (service: Service) => Promise<T>): Promise<T> {
  try {
    await service.ready();
    return await use(service);
  } finally {
    await service.stop();
  }
}

export const anyUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The milliseconds of a duration as records have it, in ISO 8601. */
export function millisecondsOf(duration: string): number {
  const [, seconds] = /^PT(\d+(?:\.\d{1,3})?)S$/.exec(duration) ?? [];
  return Math.round(Number(seconds) * 1_000);
}

export function isBetween(time: Date, [began, ended]: readonly [Date, Date]): boolean {
  return time >= began && time <= ended;
}
