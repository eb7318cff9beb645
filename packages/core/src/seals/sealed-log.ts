import type { SealRecord, Storage } from '../storage/index.js';
import type { SealedLog } from './verification.js';

/** How many seals are read at once: each can have 320 kB. */
const sealsPerPage = 16;

/** The log of a database, to verify it. */
export function sealedLogOf(storage: Storage): SealedLog {
  return {
    readSeals: (after) => readSeals(storage, after),
    // svc uses no numbers below 0, but the owner of a database can.
    readRecords: (afterSequence) => storage.readAll(afterSequence < 0 ? -Infinity : afterSequence),
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
