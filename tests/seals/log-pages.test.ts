/** When databases supply events as bytes, and that no text of an event can pretend to be another event. */
import { newId } from '@svc/core';
import type { LogPage, PendingRecord, Storage } from '@svc/core/storage';
import { commitRecord, pendingRecord } from '@svc/core/testing';
import { expect, it } from 'vitest';
import { describeDatabases, recordsOf } from './sealed-shop.js';

async function append(storage: Storage, events: readonly PendingRecord[]): Promise<void> {
  for (const event of events) await storage.commit(commitRecord({ events: [event] }));
}

async function pagesOf({ seals }: Storage, size: number): Promise<readonly LogPage[]> {
  const pages: LogPage[] = [];
  for await (const page of seals!.readLog!(-1, size)) pages.push(page);
  return pages;
}

const kindsOf = (pages: readonly LogPage[]): readonly string[] =>
  pages.map((page) => ('bytes' in page ? `${page.bytes.count} as bytes` : `${page.records.length} as records`));

describeDatabases((fresh, name) => {
  it('supplies small events as bytes, and the page of a large event or an audit reference as records', async () => {
    const storage = (await fresh()).open();
    await append(
      storage,
      Array.from({ length: 4 }, () => pendingRecord(newId())),
    );
    // A transaction of another database may make a page shorter for a moment.
    const kinds = async (): Promise<readonly string[]> => kindsOf(await pagesOf(storage, 3));
    await expect.poll(kinds).toEqual(['3 as bytes', '1 as bytes']);
    await append(storage, [pendingRecord(newId(), { body: JSON.stringify('x'.repeat(20_000)) })]);
    await expect.poll(kinds).toEqual(['3 as bytes', '2 as records']);
  });

  it.runIf(name === 'SQLite')('supplies records if a text would shift what follows it', async () => {
    const store = await fresh();
    const storage = store.open();
    await append(
      storage,
      Array.from({ length: 3 }, () => pendingRecord(newId())),
    );
    const [, second] = await recordsOf(storage);
    const forged = [
      // A zero ends a text where the engine reads it as one of C, and bytes that are not UTF-8 become longer ones.
      `metadata = '{}' || char(0) || ' '`,
      `body = CAST(x'22ff22' AS TEXT)`,
      `body = CAST(x'22ff' AS TEXT) || char(0) || 'xx'`,
      `id = '01900000-0000-7000-8000-00000000000G'`,
      `id = upper(id)`,
      `stream_id = 'short'`,
      `causation_id = '0190000000000000700000008000000000-0'`,
    ];
    await store.tamper('CREATE TABLE original AS SELECT * FROM svc_events');
    for (const change of forged) {
      await store.tamper(`UPDATE svc_events SET ${change} WHERE sequence = ${second!.sequence}`);
      const pages = await pagesOf(storage, 10).then(kindsOf, (error: unknown) => [String(error)]);
      expect([change, pages]).not.toEqual([change, ['3 as bytes']]);
      await store.tamper('DELETE FROM svc_events; INSERT INTO svc_events SELECT * FROM original');
    }
    expect(kindsOf(await pagesOf(storage, 10))).toEqual(['3 as bytes']);
  });
});
