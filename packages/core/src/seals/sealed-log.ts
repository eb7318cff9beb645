import { nextTurn } from '../background/index.js';
import { pagesOf, type LogPage, type SealRecord, type Storage } from '../storage/index.js';
import type { SealedLog } from './verification.js';

/** How many seals are read at once: each can have 320 kB. */
const sealsPerPage = 16;

const eventsPerPage = 1_000;

/** The events after one with a sequence number, to digest them. Other work of the process gets its turn between the pages. */
export async function* readLog(storage: Storage, afterSequence: number, size: number): AsyncIterable<LogPage> {
  if (storage.seals?.readLog !== undefined) yield* storage.seals.readLog(afterSequence, size);
  else {
    for await (const records of pagesOf(storage.readAll(afterSequence), size, bytesOf)) {
      yield { records };
      await nextTurn();
    }
  }
}

// An audit record whose event was removed from the database has no body.
const bytesOf = ({ body }: { readonly body: string | null }): number => body?.length ?? 0;

/** The log of a database, to verify it. */
export function sealedLogOf(storage: Storage): SealedLog {
  return {
    readSeals: (after) => readSeals(storage, after),
    lastSeal: async () => (await storage.seals?.readLast())?.number ?? 0,
    // svc uses no numbers below 0, but the owner of a database can.
    readPages: (afterSequence) => readLog(storage, afterSequence < 0 ? -Infinity : afterSequence, eventsPerPage),
    hasEvent: async (id) => (await storage.findPlace(id)) !== null,
    isReadable: (id) =>
      storage.findEvent(id).then(
        () => true,
        () => false,
      ),
  };
}

/** All seals after one with a number, in their order. */
export async function* readSeals({ seals }: Pick<Storage, 'seals'>, after: number): AsyncIterable<SealRecord> {
  for (let last = after; ;) {
    const page = (await seals?.read(last, sealsPerPage)) ?? [];
    yield* page;
    if (page.length < sealsPerPage) return;
    last = page.at(-1)!.number;
  }
}
