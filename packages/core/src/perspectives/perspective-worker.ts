import {
  PerspectiveMovedError,
  type EventLog,
  type LogPlace,
  type Progress,
  type StoredRecord,
} from '../storage/index.js';
import type { SystemEventEmitter } from '../system-events/index.js';
import { BackgroundWorker } from '../transport/index.js';
import { advance } from './advance.js';
import { perspectiveFailed } from './failures.js';
import { ModelEvents, type PerspectiveParts } from './model-events.js';
import type { NamedPerspective } from './perspective.js';
import { StreamRewinds } from './stream-rewinds.js';

export const batchSize = 500;

export interface PerspectiveWorkerParts extends PerspectiveParts {
  readonly emitter: SystemEventEmitter;
  /** Told how far a perspective has come. */
  readonly reached: (perspective: string, place: LogPlace) => void;
  /** Whether this host is the one whose worker works. */
  readonly hold: () => Promise<boolean>;
  readonly report: (error: unknown) => void;
}

/**
 * Lets perspectives take what happens, in batches. Those that stand at the same place take the same batch; one that lags behind
 * takes its own and keeps nobody waiting for more than that. What fails in one of them is tried again, and does not stop the others.
 */
export function perspectiveWorker(
  perspectives: readonly NamedPerspective[],
  parts: PerspectiveWorkerParts,
): BackgroundWorker {
  const { log, storage, emitter, hold, reached, report } = parts;
  const known = perspectives.map((named) => ({ named, finder: new ModelEvents(named, parts) }));

  return new BackgroundWorker(async () => {
    if (!(await hold())) return false;
    const places = new Map<number, (Known & { from: Progress })[]>();
    for (const one of known) {
      const from = await storage.readProgress(one.named.name);
      places.set(from.sequence, [...(places.get(from.sequence) ?? []), { ...one, from }]);
    }
    let worked = false;
    const errors: unknown[] = [];
    for (const [sequence, those] of places) {
      // Not beyond where others stand: from there on they go together.
      const records = await takeRecords(log, sequence, places);
      if (records.length === 0) continue;
      worked = true;
      const rewinds = new StreamRewinds();
      for (const one of those) await take(one, records, rewinds).catch((error) => errors.push(error));
      await rewinds.tell(emitter);
    }
    for (const error of errors.slice(1)) report(error);
    if (errors.length > 0) throw errors[0];
    return worked;
  }, report);

  async function take(
    { named, finder, from }: Known & { from: Progress },
    records: readonly StoredRecord[],
    told: StreamRewinds,
  ): Promise<void> {
    const startedAt = new Date();
    try {
      const { failures, rewinds } = await advance(named, from, { records, upTo: records.at(-1)! }, finder, storage);
      reached(named.name, records.at(-1)!);
      told.add(named.name, rewinds, startedAt, new Date());
      for (const failure of failures) await emitter.emit(perspectiveFailed(named.name, failure));
    } catch (error) {
      // Somebody else was faster: what is left is read again.
      if (!(error instanceof PerspectiveMovedError)) throw error;
    }
  }
}

interface Known {
  readonly named: NamedPerspective;
  readonly finder: ModelEvents;
}

/** A batch of records behind an event, up to the first one at which others stand: none behind it. */
async function takeRecords(
  log: EventLog,
  afterSequence: number,
  others: ReadonlyMap<number, unknown>,
): Promise<readonly StoredRecord[]> {
  for await (const page of log.readPages(afterSequence, batchSize)) {
    const end = page.findIndex(({ sequence }) => others.has(sequence));
    return end === -1 ? page : page.slice(0, end + 1);
  }
  return [];
}
