import { PerspectiveMovedError, type Progress, type ReplayPage, type TablesRef } from '../../storage/index.js';
import { nextTurn } from '../../background/index.js';
import type { SystemEventEmitter } from '../../system-events/index.js';
import { advance } from '../apply/advance.js';
import { perspectiveFailed, type CountedFailure } from '../apply/failures.js';
import { HeldModelLostError } from './held-model.js';
import { ModelEvents, type PerspectiveParts, type Stops } from '../apply/model-events.js';
import type { NamedPerspective } from '../perspective.js';
import { batchSize } from '../apply/perspective-worker.js';
import { ReplayBuffer } from './replay-buffer.js';

/** How many records are read at once for tables that only this rebuild fills. */
export const largePage = 2_000;

export interface CatchUpOptions {
  /** The tables to fill. */
  readonly into: TablesRef;
  /** Whether the worker fills the same tables: each batch is then committed at once. */
  readonly isShared: boolean;
  readonly signal: AbortSignal | undefined;
  /** Where streams were stopped in the tables that these replace. Default: none. */
  readonly earlier?: Stops;
  /** The most events of a batch. Default: the batch size of the worker. */
  readonly mostAtOnce?: number;
  /** Called with the progress at the start, and again after another host has committed to the tables. */
  readonly onStart?: (from: Progress) => Promise<void>;
  /** Called with each applied batch, committed or not. */
  readonly onBatch?: (batch: ReplayPage, applied: number) => Promise<void>;
}

/** Applies all events that are stored so far to tables, from their progress on, and returns their new progress. */
export async function catchUp(
  named: NamedPerspective,
  options: CatchUpOptions,
  parts: PerspectiveParts & { readonly emitter: SystemEventEmitter },
): Promise<Progress> {
  // Shared tables are committed after each batch, so there is no use in models that stay in memory.
  let holdsModels = !options.isShared;
  for (;;) {
    const from = await parts.storage.readProgress(options.into);
    await options.onStart?.(from);
    try {
      return await catchUpFrom(from, named, { ...options, holdsModels }, parts);
    } catch (error) {
      if (error instanceof HeldModelLostError) holdsModels = false;
      // Another host has committed to the same tables: continue from its progress.
      else if (!(error instanceof PerspectiveMovedError)) throw error;
      await nextTurn();
    }
  }
}

async function catchUpFrom(
  from: Progress,
  named: NamedPerspective,
  {
    into,
    isShared,
    holdsModels,
    signal,
    earlier,
    mostAtOnce = batchSize,
    onBatch,
  }: CatchUpOptions & { readonly holdsModels: boolean },
  { log, storage, emitter }: PerspectiveParts & { readonly emitter: SystemEventEmitter },
): Promise<Progress> {
  const buffer = new ReplayBuffer(named, into, from, storage, holdsModels);
  const finder = new ModelEvents(named, { log, storage: buffer });
  const failures: CountedFailure[] = [];
  const commit = async (isUrgent: boolean): Promise<void> => {
    await (isUrgent ? buffer.commitAll() : buffer.commitIfDue());
    if (!isUrgent) return;
    for (const failure of failures.splice(0)) await emitter.emit(perspectiveFailed(named.name, failure));
  };
  const size = Math.min(batchSize, mostAtOnce);
  const pageSize = isShared ? size : Math.max(size, largePage);
  for await (const page of log.readReplayPages(from.sequence, pageSize, finder.types)) {
    for (const batch of batchesOf(page, size)) {
      await nextTurn();
      // Commit, so that a resumed rebuild need not apply these events again.
      if (signal?.aborted === true) await commit(true);
      signal?.throwIfAborted();
      const advanced = await advance(named, buffer.progress, batch, finder, buffer, earlier);
      failures.push(...advanced.failures);
      await commit(isShared || failures.length > 0);
      await onBatch?.(batch, advanced.applied);
    }
  }
  await commit(true);
  return buffer.progress;
}

/** Splits a page into batches, at least one. The last batch reaches the end of the page. */
function* batchesOf({ records, upTo }: ReplayPage, size: number): Iterable<ReplayPage> {
  let start = 0;
  for (; start + size < records.length; start += size) {
    const batch = records.slice(start, start + size);
    yield { records: batch, upTo: batch.at(-1)! };
  }
  yield { records: records.slice(start), upTo };
}
