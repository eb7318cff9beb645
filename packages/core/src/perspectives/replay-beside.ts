import { PerspectiveMovedError } from '../storage/index.js';
import type { SystemEventEmitter } from '../system-events/index.js';
import { advance } from './advance.js';
import { perspectiveFailed } from './failures.js';
import { ModelEvents, type PerspectiveParts } from './model-events.js';
import { nextTurn } from './next-turn.js';
import type { NamedPerspective } from './perspective.js';
import { batchSize, takeRecords } from './perspective-worker.js';

/** Lets the tables that are kept under the name `beside` take what has happened so far, from where they are. */
export async function replayBeside(
  named: NamedPerspective,
  beside: string,
  signal: AbortSignal,
  parts: PerspectiveParts & { readonly emitter: SystemEventEmitter },
): Promise<void> {
  const { log, storage, emitter } = parts;
  const filled = { ...named, name: beside };
  const finder = new ModelEvents(filled, parts);
  for (;;) {
    await nextTurn();
    signal.throwIfAborted();
    const from = await storage.readProgress(beside);
    const records = await takeRecords(log.readRecords(from.sequence));
    if (records.length === 0) return;
    try {
      const { failures } = await advance(filled, from, records, finder, parts);
      for (const failure of failures) await emitter.emit(perspectiveFailed(named.name, failure));
    } catch (error) {
      if (!(error instanceof PerspectiveMovedError)) throw error;
    }
    // Something happens all the time: what is left by now is as little as it gets.
    if (records.length < batchSize) return;
  }
}
