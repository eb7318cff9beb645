import { ServiceError } from '../../errors/index.js';
import { nextTurn } from '../../background/index.js';
import type { Uuid } from '../../json/index.js';
import { PerspectiveMovedError, type Progress } from '../../storage/index.js';
import { RebuildMode } from '../../system-events/index.js';
import { Census } from './census.js';
import { reportFailures, reportingFirst } from '../apply/perspective-failed-error.js';
import { rebuildRemedy, requireNoNewFailures } from './incomplete-rebuild.js';
import { isInterruption, tablesToFill } from './leftovers.js';
import { ModelEvents, stopsOf } from '../apply/model-events.js';
import { Pace } from './pace.js';
import type { NamedPerspective } from '../perspective.js';
import { rebuildStream } from './rebuild-stream.js';
import { RebuildReport, type RebuildProgress } from './rebuild-report.js';
import { Replay, type ReplaySettings, type RebuildParts } from './replay.js';

/** How a perspective is rebuilt. */
export interface RebuildOptions {
  /** Default: BlueGreen; with `streams`: SelectedStreams. */
  readonly mode?: RebuildMode;
  /** The streams whose models are rebuilt, for SelectedStreams. */
  readonly streams?: readonly Uuid[];
  /** Cancels the rebuild. After BlueGreen everything is as before; InPlace continues in the background. */
  readonly signal?: AbortSignal;
  /**
   * The most events replayed per second. Not for InPlace, because the worker fills that table at the same time. Default: no limit.
   */
  readonly eventsPerSecond?: number;
  /**
   * Whether BlueGreen resumes an interrupted rebuild of the same version. False: it starts from the first event, as is needed after a change of
   * `apply` without a new version. Default: true.
   */
  readonly resume?: boolean;
  /**
   * Whether BlueGreen replaces the serving models although streams failed at which these have not stopped. False: the rebuild fails, and the
   * serving models stay. Default: false.
   */
  readonly acceptFailures?: boolean;
  /** Called with the progress after each batch. */
  readonly onProgress?: (progress: RebuildProgress) => void;
}

/** What a rebuild has replayed. */
export interface RebuildResult {
  readonly streamsProcessed: number;
  readonly eventsReplayed: number;
  /** How many of the streams are stopped, because the perspective failed at an event of them. Absent: none. */
  readonly stoppedStreams?: number;
}

/** Rebuilds the models of a perspective from all events. Events appended during the rebuild are applied exactly once. */
export async function rebuild(
  named: NamedPerspective,
  {
    streams,
    mode = streams === undefined ? RebuildMode.BlueGreen : RebuildMode.SelectedStreams,
    signal,
    eventsPerSecond,
    resume = true,
    acceptFailures = false,
    onProgress,
  }: RebuildOptions,
  allParts: RebuildParts,
): Promise<RebuildResult> {
  if (eventsPerSecond !== undefined && mode === RebuildMode.InPlace) throw cannotBePaced();
  const parts = reportingFirst(allParts);
  const pace = new Pace(eventsPerSecond, parts.clock);
  const report = new RebuildReport(parts.emitter, named.name, mode, onProgress);
  let stoppedStreams: number;
  try {
    if (mode === RebuildMode.SelectedStreams)
      stoppedStreams = await selectedStreams(named, streams ?? [], { pace, signal, report }, parts);
    else {
      const finder = ModelEvents.ofServing(named, parts);
      const census = await Census.take(parts.log, finder, signal);
      await report.started(census.streams);
      const replay = new Replay(census, { pace, signal, report }, parts);
      if (mode === RebuildMode.InPlace) stoppedStreams = await inPlace(named, finder, replay);
      else stoppedStreams = await blueGreen(named, finder, { resume, acceptFailures }, replay);
    }
  } catch (error) {
    await report.failed(error);
    throw error;
  }
  await report.completed();
  return { ...report.result, ...(stoppedStreams > 0 && { stoppedStreams }) };
}

/** Returns how many of the streams are stopped. */
async function selectedStreams(
  named: NamedPerspective,
  streams: readonly Uuid[],
  { pace, signal, report }: ReplaySettings,
  parts: RebuildParts,
): Promise<number> {
  const all = [...new Set(streams)];
  await report.started(all.length);
  let events = 0;
  let stopped = 0;
  for (const [i, streamId] of all.entries()) {
    await nextTurn();
    signal?.throwIfAborted();
    const { replayed, failures } = await rebuildStream(named, streamId, parts, signal);
    await reportFailures(named.name, failures, parts);
    if (failures.length > 0) stopped++;
    events += replayed;
    await report.progress(i + 1, events);
    if (i + 1 < all.length) await pace.took(replayed, signal);
  }
  return stopped;
}

/** Empties the table and fills it again. Callers see the models that are already rebuilt. Returns how many streams are stopped. */
async function inPlace(named: NamedPerspective, finder: ModelEvents, replay: Replay): Promise<number> {
  await replay.parts.storage.clearPerspective(named.name);
  await replay.run(named, finder, {
    into: named.name,
    isShared: true,
    isDone: async (progress) => progress.segments === undefined || (await replay.hasPassedHead(progress)),
  });
  return (await replay.parts.storage.readStopped(named.name)).length;
}

/**
 * Fills other tables while the current ones serve, and replaces the current ones once the others have caught up. Returns how many streams are
 * stopped.
 */
async function blueGreen(
  named: NamedPerspective,
  finder: ModelEvents,
  { resume, acceptFailures }: Required<Pick<RebuildOptions, 'resume' | 'acceptFailures'>>,
  replay: Replay,
): Promise<number> {
  const { storage } = replay.parts;
  const into = await tablesToFill(named.name, resume, storage);
  let stopped = 0;
  const isDone = async (progress: Progress): Promise<boolean> => {
    const live = await storage.readProgress(named.name);
    // Another rebuild of the perspective fills segments of the same tables, and makes them whole.
    if (progress.segments !== undefined || !(await replay.hasPassed(progress, live))) return false;
    stopped = (await storage.readStopped(into)).length;
    if (stopped > 0 && !acceptFailures) {
      const replacement = { into, progress, live };
      await requireNoNewFailures(named.name, replacement, rebuildRemedy(named.name), replay.parts);
    }
    try {
      await storage.replacePerspective(named.name, into, live, progress);
      return true;
    } catch (error) {
      if (error instanceof PerspectiveMovedError) return false;
      throw error;
    }
  };
  try {
    const earlier = stopsOf(await storage.readStopped(named.name));
    await replay.fillTogether(named, into);
    await replay.run(named, finder, { into, isShared: false, earlier, isDone });
    return stopped;
  } catch (error) {
    if (!isInterruption(error)) await storage.removeTables(into);
    throw error;
  }
}

function cannotBePaced(): ServiceError {
  return new ServiceError(
    'SVC_INVALID_VALUE',
    'eventsPerSecond cannot limit a rebuild in the mode InPlace. Omit it, or use BlueGreen or SelectedStreams.',
  );
}

/** The result of rebuilds in several databases. */
export function totalOf(results: readonly RebuildResult[]): RebuildResult {
  const stoppedStreams = results.reduce((sum, one) => sum + (one.stoppedStreams ?? 0), 0);
  return {
    streamsProcessed: results.reduce((sum, { streamsProcessed }) => sum + streamsProcessed, 0),
    eventsReplayed: results.reduce((sum, { eventsReplayed }) => sum + eventsReplayed, 0),
    ...(stoppedStreams > 0 && { stoppedStreams }),
  };
}
