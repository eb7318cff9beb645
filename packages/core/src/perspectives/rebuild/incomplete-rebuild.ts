/** Protects serving models: new tables with streams that failed although the serving models have their events do not replace them. */
import { ServiceError } from '../../errors/index.js';
import {
  comparePlaces,
  type EventLog,
  type LogPlace,
  type ModelTables,
  type Progress,
  type StoppedStream,
} from '../../storage/index.js';
import { stopsOf, type PerspectiveParts } from '../apply/model-events.js';

/** The most characters of an error that the message quotes. */
const longestQuote = 300;

/** New tables do not replace the serving models, because streams failed at which these have not stopped. */
export class IncompleteRebuildError extends ServiceError {
  readonly perspectiveName: string;
  /** How many streams failed at which the serving models have not stopped. */
  readonly failedStreams: number;
  /** The first of them, with its error. */
  readonly first: StoppedStream;

  constructor(perspectiveName: string, failed: readonly [StoppedStream, ...StoppedStream[]], remedy: string) {
    const [first] = failed;
    const { streamId, eventId, errorName, errorMessage } = first;
    const count = failed.length === 1 ? '1 stream' : `${failed.length} streams`;
    const quoted = `${errorName}: ${errorMessage}`.slice(0, longestQuote).toWellFormed().replace(/\.?$/u, '.');
    super(
      'SVC_REBUILD_INCOMPLETE',
      `The models of ${perspectiveName} are not replaced: the rebuild failed at ${count} at which the serving models have not stopped. The first is stream ${streamId}, at event ${eventId}: ${quoted} ${remedy}`,
    );
    this.perspectiveName = perspectiveName;
    this.failedStreams = failed.length;
    this.first = first;
  }
}

/** How an operator or a program continues after a rebuild that did not replace the models. */
export function rebuildRemedy(perspectiveName: string): string {
  return `The previous models still serve. Fix the code and rebuild again, or accept the failures: "svc perspectives rebuild ${perspectiveName} --accept-failures", or acceptFailures in a program.`;
}

/** How an operator continues after a new version whose models do not replace the previous ones. */
export const versionRemedy =
  'The models of the previous version still serve. Fix the code, then start the service again.';

/** The tables that would replace the serving ones, and the progress of both. */
interface Replacement {
  readonly into: ModelTables;
  readonly progress: Progress;
  readonly live: Progress;
}

/** Throws if new tables have stopped at events that the serving models have processed. Streams at which both have stopped do not count. */
export async function requireNoNewFailures(
  perspective: string,
  replacement: Replacement,
  remedy: string,
  parts: PerspectiveParts,
): Promise<void> {
  const [first, ...others] = await newFailures(perspective, replacement, parts);
  if (first !== undefined) throw new IncompleteRebuildError(perspective, [first, ...others], remedy);
}

/** In the order of their events. */
async function newFailures(
  perspective: string,
  { into, progress, live }: Replacement,
  { log, storage }: PerspectiveParts,
): Promise<readonly StoppedStream[]> {
  const stopped = await storage.readStopped(into);
  if (stopped.length === 0) return [];
  const serving = stopsOf(await storage.readStopped(perspective));
  const other = stopped
    .filter(({ streamId, eventId }) => eventId < (serving.get(streamId)?.eventId ?? '~'))
    .toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1));
  const reached = await furthest(live, log);
  // Usually the serving models have processed all events of the new tables.
  if (comparePlaces(await log.placeAt(progress.sequence), reached) <= 0) return other;
  const failed: StoppedStream[] = [];
  for (const one of other) {
    const place = await log.findPlace(one.eventId);
    // An event that only the new tables have processed would stop the serving models, too.
    if (place !== null && comparePlaces(place, reached) <= 0) failed.push(one);
  }
  return failed;
}

/** The place of the segment that is furthest: the serving models may have processed the events up to there. */
async function furthest({ sequence, segments }: Progress, log: EventLog): Promise<LogPlace> {
  const places = (segments ?? [{ sequence }]).map((one) => log.placeAt(one.sequence));
  return (await Promise.all(places)).toSorted(comparePlaces).at(-1)!;
}
