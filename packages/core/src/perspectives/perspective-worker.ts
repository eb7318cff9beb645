import {
  PerspectiveMovedError,
  type EventLog,
  type ModelRecord,
  type PerspectiveStorage,
  type StoppedStream,
  type StoredEvent,
} from '../storage/index.js';
import { PerspectiveFailed, type SystemEventEmitter } from '../system-events/index.js';
import { BackgroundWorker } from '../transport/index.js';
import { applyBatch, keyOf, type StreamFailure } from './apply-batch.js';
import type { NamedPerspective } from './perspective.js';

const batchSize = 500;
const longestMessage = 2_000;

export interface PerspectiveWorkerParts {
  readonly log: EventLog;
  readonly storage: PerspectiveStorage;
  readonly emitter: SystemEventEmitter;
  readonly report: (error: unknown) => void;
}

/**
 * Applies what happens to a perspective, in batches: the models and how far it has come are kept together, so each event counts once.
 * A stream that fails stops with its error kept, and is told of; the others go on.
 */
export function perspectiveWorker(named: NamedPerspective, parts: PerspectiveWorkerParts): BackgroundWorker {
  const { log, storage, emitter, report } = parts;
  const wanted = new Set<unknown>(named.events);

  return new BackgroundWorker(async () => {
    const from = await storage.readProgress(named.name);
    const batch = await take(log.readAll(from), batchSize);
    if (batch.length === 0) return false;
    const stopped = new Set((await storage.readStopped(named.name)).map(({ streamId }) => streamId));
    const events = batch.filter(
      ({ streamId, envelope }) => wanted.has(envelope.payload.constructor) && !stopped.has(streamId),
    );
    const { models, failures } = applyBatch(named, await keptModels(events), events);
    try {
      await storage.commitPerspective({
        perspective: named.name,
        from,
        to: batch.at(-1)!.sequence,
        models: [...models.values()].filter((model) => model !== null),
        removed: [...models].filter(([, model]) => model === null).map(([key]) => key),
        stopped: failures.map(toStopped),
      });
    } catch (error) {
      // Somebody else was faster: what is left is read again.
      if (error instanceof PerspectiveMovedError) return true;
      throw error;
    }
    for (const failure of failures) await emitter.emit(perspectiveFailed(named.name, failure));
    return true;
  }, report);

  async function keptModels(events: readonly StoredEvent[]): Promise<ReadonlyMap<string, ModelRecord>> {
    const keys = new Set(events.map((event) => keyOrNull(named, event)).filter((key) => key !== null));
    const records = keys.size === 0 ? [] : await storage.readModels(named.name, [...keys]);
    return new Map(records.map((record) => [record.key, record]));
  }
}

async function take<T>(items: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) {
    taken.push(item);
    if (taken.length === count) break;
  }
  return taken;
}

/** An event whose key cannot be told has none yet; applying it will fail, and say why. */
function keyOrNull({ perspective }: NamedPerspective, event: StoredEvent): string | null {
  try {
    return keyOf(perspective, event);
  } catch {
    return null;
  }
}

function toStopped({ event, error }: StreamFailure): StoppedStream {
  const { streamId, position, envelope } = event;
  return { streamId, eventId: envelope.id, position, ...describe(error) };
}

function perspectiveFailed(perspectiveName: string, { event, error }: StreamFailure): PerspectiveFailed {
  const { id, type, scope } = event.envelope;
  return Object.assign(new PerspectiveFailed(), {
    messageId: id,
    messageType: type,
    perspectiveName,
    ...describe(error),
    attempt: 1,
    ...(scope !== null && { scope }),
    timestamp: new Date(),
  });
}

function describe(error: unknown): { errorName: string; errorMessage: string } {
  if (!(error instanceof Error)) {
    return { errorName: typeof error, errorMessage: 'Something that is not an error was thrown.' };
  }
  return { errorName: error.name, errorMessage: error.message.slice(0, longestMessage) };
}
