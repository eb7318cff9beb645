import { PerspectiveMovedError, type Progress, type ReplayPage, type TablesRef } from '../../storage/index.js';
import { nextTurn } from '../../background/index.js';
import type { SystemEventEmitter } from '../../system-events/index.js';
import { advance } from '../apply/advance.js';
import { perspectiveFailed, type CountedFailure } from '../apply/failures.js';
import { HeldModelsSpoilt } from './held-model.js';
import { ModelEvents, type PerspectiveParts, type Stops } from '../apply/model-events.js';
import type { NamedPerspective } from '../perspective.js';
import { batchSize } from '../apply/perspective-worker.js';
import { ReplayBuffer } from './replay-buffer.js';

/** How many records are read at once for tables that nobody else fills. */
export const largePage = 2_000;

export interface TakingAll {
  /** The tables that are filled. */
  readonly into: TablesRef;
  /** Whether the worker takes events into the same tables: each batch is kept at once then. */
  readonly isShared: boolean;
  readonly signal: AbortSignal | undefined;
  /** Where streams were stopped in the tables that these replace. Default: they replace none. */
  readonly earlier?: Stops;
  /** How many events are applied at once, at most. Default: as many as is usual. */
  readonly mostAtOnce?: number;
  /** Told where it begins, and again when somebody else has taken events as well. */
  readonly begins?: (from: Progress) => Promise<void>;
  /** Told of each batch once it is applied, kept or not. */
  readonly took?: (batch: ReplayPage, applied: number) => Promise<void>;
}

/** Lets tables take everything that has happened by now, from where they are; says how far they are then. */
export async function takeAll(
  named: NamedPerspective,
  taking: TakingAll,
  parts: PerspectiveParts & { readonly emitter: SystemEventEmitter },
): Promise<Progress> {
  // Tables that others fill, too, are kept after each batch: there is nothing to hold for.
  let holdsModels = !taking.isShared;
  for (;;) {
    const from = await parts.storage.readProgress(taking.into);
    await taking.begins?.(from);
    try {
      return await takeFrom(from, named, { ...taking, holdsModels }, parts);
    } catch (error) {
      if (error instanceof HeldModelsSpoilt) holdsModels = false;
      // Somebody else has kept something in the same tables: it goes on from there.
      else if (!(error instanceof PerspectiveMovedError)) throw error;
      await nextTurn();
    }
  }
}

async function takeFrom(
  from: Progress,
  named: NamedPerspective,
  {
    into,
    isShared,
    holdsModels,
    signal,
    earlier,
    mostAtOnce = batchSize,
    took,
  }: TakingAll & { readonly holdsModels: boolean },
  { log, storage, emitter }: PerspectiveParts & { readonly emitter: SystemEventEmitter },
): Promise<Progress> {
  const buffer = new ReplayBuffer(named, into, from, storage, holdsModels);
  const finder = new ModelEvents(named, { log, storage: buffer });
  const failures: CountedFailure[] = [];
  const keep = async (isUrgent: boolean): Promise<void> => {
    await (isUrgent ? buffer.keepAll() : buffer.keepSome());
    if (!isUrgent) return;
    for (const failure of failures.splice(0)) await emitter.emit(perspectiveFailed(named.name, failure));
  };
  const size = Math.min(batchSize, mostAtOnce);
  const pageSize = isShared ? size : Math.max(size, largePage);
  for await (const page of log.readReplayPages(from.sequence, pageSize, finder.types)) {
    for (const batch of batchesOf(page, size)) {
      await nextTurn();
      // Whoever goes on from here later need not take it again.
      if (signal?.aborted === true) await keep(true);
      signal?.throwIfAborted();
      const advanced = await advance(named, buffer.progress, batch, finder, buffer, earlier);
      failures.push(...advanced.failures);
      await keep(isShared || failures.length > 0);
      await took?.(batch, advanced.applied);
    }
  }
  await keep(true);
  return buffer.progress;
}

/** The last one has come as far as the page; there is always one. */
function* batchesOf({ records, upTo }: ReplayPage, size: number): Iterable<ReplayPage> {
  let start = 0;
  for (; start + size < records.length; start += size) {
    const batch = records.slice(start, start + size);
    yield { records: batch, upTo: batch.at(-1)! };
  }
  yield { records: records.slice(start), upTo };
}
