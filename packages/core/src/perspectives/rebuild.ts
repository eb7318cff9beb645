import type { Uuid } from '../json/index.js';
import { newId } from '../messages/index.js';
import { besideName, comparePlaces, PerspectiveMovedError, type Progress } from '../storage/index.js';
import { RebuildMode, type SystemEventEmitter } from '../system-events/index.js';
import { advance } from './advance.js';
import { Census } from './census.js';
import { perspectiveFailed } from './failures.js';
import { ModelEvents, type PerspectiveParts } from './model-events.js';
import { nextTurn } from './next-turn.js';
import type { NamedPerspective } from './perspective.js';
import { takeRecords } from './perspective-worker.js';
import { rebuildStream } from './rebuild-stream.js';
import { RebuildReport, type RebuildProgress } from './rebuild-report.js';

export interface RebuildOptions {
  /** Default: BlueGreen; with `streams`: SelectedStreams. */
  readonly mode?: RebuildMode;
  /** The streams whose models are made anew, for SelectedStreams. */
  readonly streams?: readonly Uuid[];
  /** Gives the rebuild up. BlueGreen leaves everything as it was; InPlace goes on in the background. */
  readonly signal?: AbortSignal;
  /** How many events are replayed in a second at most, so that others get on. Default: as many as can be. */
  readonly eventsPerSecond?: number;
  /** Told how far it is, after each batch. */
  readonly onProgress?: (progress: RebuildProgress) => void;
}

export interface RebuildResult {
  readonly streamsProcessed: number;
  readonly eventsReplayed: number;
}

export interface RebuildParts extends PerspectiveParts {
  readonly emitter: SystemEventEmitter;
  /** Says that this host rebuilds a perspective, or is about to; false: another one does. */
  readonly mayTouch: (perspective: string) => Promise<boolean>;
}

/** Makes the models of a perspective anew, of all that has happened. What happens meanwhile is neither lost nor counted twice. */
export async function rebuild(
  named: NamedPerspective,
  {
    streams,
    mode = streams === undefined ? RebuildMode.BlueGreen : RebuildMode.SelectedStreams,
    signal,
    onProgress,
  }: RebuildOptions,
  parts: RebuildParts,
): Promise<RebuildResult> {
  const report = new RebuildReport(parts.emitter, named.name, mode, onProgress);
  try {
    if (mode === RebuildMode.SelectedStreams) await selectedStreams(named, streams ?? [], signal, report, parts);
    else {
      const finder = new ModelEvents(named, parts);
      const census = await Census.take(parts.log, finder, signal);
      await report.started(census.streams);
      const replay = new Replay(census, signal, report, parts);
      if (mode === RebuildMode.InPlace) await inPlace(named, replay);
      else await blueGreen(named, replay);
    }
  } catch (error) {
    await report.failed(error);
    throw error;
  }
  await report.completed();
  return report.result;
}

async function selectedStreams(
  named: NamedPerspective,
  streams: readonly Uuid[],
  signal: AbortSignal | undefined,
  report: RebuildReport,
  parts: RebuildParts,
): Promise<void> {
  const all = [...new Set(streams)];
  await report.started(all.length);
  let events = 0;
  for (const [i, streamId] of all.entries()) {
    await nextTurn();
    signal?.throwIfAborted();
    const { replayed, failures } = await rebuildStream(named, streamId, parts);
    for (const failure of failures) await parts.emitter.emit(perspectiveFailed(named.name, failure));
    events += replayed;
    await report.progress(i + 1, events);
  }
}

/** The table is emptied and filled again. Whoever reads meanwhile sees what is there already. */
async function inPlace(named: NamedPerspective, replay: Replay): Promise<void> {
  await replay.parts.storage.clearPerspective(named.name);
  await replay.run(named, named.name, (progress) => replay.hasCensus(progress));
}

/** Another table is filled beside the one that is read from; when it has come as far, it is put in its place. */
async function blueGreen(named: NamedPerspective, replay: Replay): Promise<void> {
  const { storage } = replay.parts;
  // What an earlier rebuild left when its host was killed is of the code as it was then: it is not gone on with. One that is
  // under way on another host begins again.
  for (const left of await storage.readBesides(named.name)) await storage.removePerspective(left);
  const beside = { ...named, name: besideName(named.name, newId()) };
  try {
    await replay.run(beside, named.name, async (progress) => {
      const live = await storage.readProgress(named.name);
      if (!(await replay.hasPassed(progress, live)) || !(await replay.hasCensus(progress))) return false;
      try {
        await storage.replacePerspective(named.name, beside.name, live);
        return true;
      } catch (error) {
        if (error instanceof PerspectiveMovedError) return false;
        throw error;
      }
    });
  } catch (error) {
    await storage.removePerspective(beside.name);
    throw error;
  }
}

/** Removes the tables that rebuilds left whose hosts were killed. What another host fills at the moment is left alone. */
export async function removeLeftovers(
  perspective: string,
  { storage, mayTouch }: Pick<RebuildParts, 'storage' | 'mayTouch'>,
): Promise<void> {
  const left = await storage.readBesides(perspective);
  if (left.length === 0 || !(await mayTouch(perspective))) return;
  for (const name of left) await storage.removePerspective(name);
}

/** Takes everything that has happened into one table. */
class Replay {
  readonly census: Census;
  readonly parts: RebuildParts;
  readonly #signal: AbortSignal | undefined;
  readonly #report: RebuildReport;

  constructor(census: Census, signal: AbortSignal | undefined, report: RebuildReport, parts: RebuildParts) {
    this.census = census;
    this.parts = parts;
    this.#signal = signal;
    this.#report = report;
  }

  /** Whether everything is done that was there when the rebuild began. */
  async hasCensus({ sequence }: Progress): Promise<boolean> {
    return comparePlaces(await this.parts.log.placeAt(sequence), this.census.head) >= 0;
  }

  /** Whether one has come as far as another. */
  async hasPassed(one: Progress, other: Progress): Promise<boolean> {
    const { log } = this.parts;
    return comparePlaces(await log.placeAt(one.sequence), await log.placeAt(other.sequence)) >= 0;
  }

  /** `named` has the table that is filled; `name` is what the perspective is called. Ends once `isDone`. */
  async run(named: NamedPerspective, name: string, isDone: (progress: Progress) => Promise<boolean>): Promise<void> {
    const { log, storage, emitter } = this.parts;
    const finder = new ModelEvents(named, this.parts);
    for (;;) {
      await nextTurn();
      const from = await storage.readProgress(named.name);
      const { streams, events } = this.census.upTo(await log.placeAt(from.sequence));
      await this.#report.progress(streams, events);
      this.#signal?.throwIfAborted();
      await this.parts.mayTouch(name);
      if (await isDone(from)) return;
      const records = await takeRecords(log.readRecords(from.sequence));
      if (records.length === 0) continue;
      try {
        const { failures } = await advance(named, from, records, finder, this.parts);
        for (const failure of failures) await emitter.emit(perspectiveFailed(name, failure));
      } catch (error) {
        if (!(error instanceof PerspectiveMovedError)) throw error;
      }
    }
  }
}
