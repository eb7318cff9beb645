import assert from 'node:assert/strict';
import { SystemEventStream } from '../messages/index.js';
import { archiveEvents, replayOf, type ArchivableStorage, type Storage, type StoredRecord } from '../storage/index.js';
import { MemoryArchive } from './memory-archive.js';
import { collect } from './records.js';
import { appendAudited } from './storage-audit-cases.js';
import type { StorageCase } from './storage-case.js';

/** A storage of which only the events up to a place can be archived. */
function upTo(storage: Storage, last: number): ArchivableStorage {
  async function* readAll(after?: number): AsyncIterable<StoredRecord> {
    for await (const record of storage.readAll(after)) if (record.sequence <= last) yield record;
  }
  const { archive, leases } = storage;
  return { ...(archive && { archive }), ...(leases && { leases }), readAll };
}

/** What the capability `archive` adds for audit records, which refer to events. */
export const archivedAuditCases: readonly StorageCase[] = [
  {
    name: 'completes audit records from archived events, whether they are archived too or not',
    async run(open) {
      const storage = await open();
      const records = await appendAudited(storage);
      const store = new MemoryArchive();
      storage.archive!.use(store);
      const everything = async (): Promise<unknown> => {
        const pages = await collect(replayOf(storage).readReplayPages(-1, 1_000, ['svc.EventAudited']));
        return {
          all: await collect(storage.readAll()),
          stream: await collect(storage.readStream(SystemEventStream.streamId)),
          found: await Promise.all(records.map(({ id }) => storage.findEvent(id))),
          replayed: pages.flatMap(({ records: replayed }) =>
            replayed.map(({ id, scope, metadata, ...rest }) => [
              [id, scope, metadata],
              'content' in rest ? rest.content : (JSON.parse(rest.body) as unknown),
            ]),
          ),
        };
      };
      const expected = await everything();
      // The events are older than their audit records in the log. The second run archives the rest.
      const [, , , second] = await collect(storage.readAll());
      await archiveEvents(upTo(storage, second!.sequence), store, { before: new Date(8.64e15) });
      assert.deepEqual(await everything(), expected);
      await archiveEvents(storage, store, { before: new Date(8.64e15) });
      assert.deepEqual(await everything(), expected);
    },
  },
];
