import { DeferredSignal } from '../dispatch/index.js';
import { recordedByCode } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import {
  comparePlaces,
  ReactionTakenOverError,
  type FailedStream,
  type LogPlace,
  type ReactionTerm,
  type ReplayPage,
  type StoredRecord,
} from '../storage/index.js';
import { isOwnEffect } from './acting-event.js';
import type { FailedAttempt } from './failed-attempt.js';
import { ChangeSignal } from './change-signal.js';
import { delayAfter } from './failures.js';
import { KnownFailures } from './known-failures.js';
import { laneOf, type Lane } from './lane.js';
import { eventsPerCheckpoint, mostRetried, mostWaiting } from './limits.js';
import type { NamedReaction } from './named-reaction.js';
import { NextRetry } from './next-retry.js';
import type { OwnSegments } from './own-segments.js';
import type { AnyRecord, ReactionParts } from './reaction-parts.js';
import { done, PassedEvents, type Passed } from './passed-events.js';
import { reportFailed } from './reaction-failed-error.js';
import { StoredPlace } from './stored-place.js';

/**
 * The segments of a reaction that this host runs, during one term. Reads events in the order of the log, and runs those of different streams concurrently.
 * After an error that is not the reaction's own, it is over, and the next term continues with what is stored.
 */
export class FollowedReaction {
  readonly #named: NamedReaction;
  readonly #parts: ReactionParts;
  readonly segments: OwnSegments;
  readonly types: ReadonlySet<string>;
  /** The events that are recorded as processed and not read. */
  readonly #reacted: Set<Uuid>;
  readonly #failures: KnownFailures;
  /** The streams whose record was changed since the due ones were last read. */
  readonly #changed = new Set<Uuid>();
  /** Processed events to forget with the next place. */
  readonly #forgotten: { readonly id: Uuid; readonly segment: number }[] = [];
  readonly #passed = new PassedEvents();
  readonly #stored = new StoredPlace(this.#passed, (passed) => this.#advance(passed));
  readonly #lanes = new Map<Uuid, Lane>();
  readonly #ready: Lane[] = [];
  readonly #ending = new DeferredSignal();
  readonly #nextRetry: NextRetry;
  readonly #change = new ChangeSignal();
  #waiting = 0;
  #running = 0;
  #isStopping = false;
  #place: LogPlace;
  /** Why it is over; undefined: another host or an operator has ended the term. */
  failure: unknown;

  constructor(named: NamedReaction, term: ReactionTerm, segments: OwnSegments, parts: ReactionParts) {
    this.#named = named;
    this.#parts = parts;
    this.segments = segments;
    this.types = parts.log.typesOf(named.events);
    this.#reacted = new Set(term.reacted);
    this.#failures = new KnownFailures(term.hasFailedStreams, (ids) => parts.storage.findFailed(named.name, ids));
    this.#nextRetry = new NextRetry(term.hasFailedStreams, parts.wake);
    this.#place = segments.start;
  }

  /** The place up to which it has read the log. */
  get place(): LogPlace {
    return this.#place;
  }

  get isOver(): boolean {
    return this.#ending.aborted;
  }

  get isBusy(): boolean {
    return !this.isOver && (this.#running > 0 || this.#ready.length > 0 || this.#stored.isBehind);
  }

  /** Takes the events of a page of the log. */
  async accept({ records, upTo }: ReplayPage): Promise<void> {
    const own = records.filter((record) => this.segments.includes(record.streamId, record));
    const events = own.filter((record) => !isOwnEffect(this.#named.name, record));
    const failed = await this.#failures.readAmong(events);
    if (this.isOver) return;
    for (const record of events) this.#add(record, failed);
    this.#place = upTo;
    this.#passed.addPlace(upTo);
    this.#pump();
    this.#stored.storeSoon();
  }

  /** Resolves when the next page can be read. */
  async room(): Promise<void> {
    while (this.#waiting >= mostWaiting && !this.isOver && !this.#isStopping) await this.#change.next();
  }

  /** Starts the failed streams whose time has come. */
  async retryDue(): Promise<void> {
    if (!this.#nextRetry.isDue()) return;
    this.#changed.clear();
    const due = this.#parts.storage.readDue(this.#named.name, this.segments.numbers, mostRetried);
    const { streams, nextInMs } = await this.#nextRetry.reading(due);
    // What was read of a stream that has changed since is out of date: its records may be forgotten.
    if (streams.some(({ streamId }) => this.#changed.has(streamId))) this.#nextRetry.in(0);
    for (const stream of streams) {
      if (this.#changed.has(stream.streamId) || this.#lanes.has(stream.streamId)) continue;
      const lane = laneOf(stream.streamId, stream);
      this.#lanes.set(stream.streamId, lane);
      this.#ready.push(lane);
    }
    if (nextInMs !== null) this.#nextRetry.in(nextInMs);
    this.#pump();
  }

  /** Resolves when everything that was read is done and stored, except for failed streams. */
  async idle(): Promise<void> {
    while (this.isBusy) await (this.#stored.isBehind ? this.#stored.storeNow() : this.#change.next());
  }

  /** Starts nothing more, and waits for running reactions up to a limit. Then it is over. */
  async stop(limitMs: number): Promise<void> {
    this.#isStopping = true;
    this.#change.raise();
    const limit = setTimeout(() => this.end(), limitMs);
    while (this.#running > 0 && !this.isOver) await this.#change.next();
    clearTimeout(limit);
    while (!this.isOver && this.#stored.isBehind) await this.#stored.storeNow();
    this.end();
  }

  /** Ends the term on this host. Running reactions commit nothing. */
  end(failure?: unknown): void {
    if (this.isOver) return;
    this.failure = failure;
    this.#stored.stop();
    this.#nextRetry.stop();
    this.#ending.abort(new ReactionTakenOverError(this.#named.name));
    this.#change.raise();
    this.#parts.wake();
  }

  #add(record: AnyRecord, failed: ReadonlySet<Uuid>): void {
    const { streamId, id } = record;
    const read = this.#passed.add(record, id, this.segments.of(streamId).segment);
    const lane = this.#lanes.get(streamId);
    const isFailed = (lane !== undefined && lane.failed !== null) || this.#failures.has(streamId, failed);
    if (lane !== undefined && isFailed) lane.skipped = record.position;
    // The record of a processed event is needed until its stream has caught up.
    if (this.#reacted.has(id)) return done(read, isFailed || lane?.isResuming === true ? 'skipped' : 'reacted');
    if (isFailed) return done(read, 'skipped');
    this.#waiting++;
    if (lane !== undefined) return void lane.queue.push({ record, read });
    const added = laneOf(streamId, null, { record, read });
    this.#lanes.set(streamId, added);
    this.#ready.push(added);
  }

  /** Runs as many lanes as may run concurrently. */
  #pump(): void {
    while (!this.isOver && !this.#isStopping && this.#running < this.#named.settings.concurrency) {
      const lane = this.#ready.shift();
      if (lane === undefined) return;
      this.#running++;
      void this.#runLane(lane);
    }
  }

  async #runLane(lane: Lane): Promise<void> {
    try {
      if (lane.failed === null) {
        const { record, read } = lane.queue.shift()!;
        this.#waiting--;
        const error = await this.#run(record, 1);
        if (error !== null) await this.#suspend(lane, record, 1, error, []);
        done(read, error === null ? 'reacted' : 'skipped');
      } else {
        await this.#catchUp(lane, lane.failed);
      }
    } catch (error) {
      this.end(error instanceof ReactionTakenOverError ? undefined : error);
    }
    this.#running--;
    if (lane.queue.length > 0 && lane.failed === null) this.#ready.push(lane);
    else this.#lanes.delete(lane.streamId);
    this.#pump();
    this.#stored.storeSoon();
    this.#change.raise();
  }

  /** Processes the events of a failed stream up to the place of the reaction, and the one at which it failed. */
  async #catchUp(lane: Lane, failed: FailedStream): Promise<void> {
    const { log, storage } = this.#parts;
    const { streamId } = lane;
    const { name } = this.#named;
    const { term } = this.segments.of(streamId);
    let processed: StoredRecord[] = [];
    let position = failed.position;
    do {
      for await (const record of log.readStreamRecords(streamId, position)) {
        if (position > failed.position && this.#isUnread(record)) break;
        // What is processed is recorded: the next term continues.
        if (this.#isStopping || this.isOver) return;
        if (this.types.has(record.type) && !isOwnEffect(name, record)) {
          const attempt = record.id === failed.eventId ? failed.attempts + 1 : 1;
          const error = this.#reacted.has(record.id) ? null : await this.#run(record, attempt);
          if (error !== null) return await this.#suspend(lane, record, attempt, error, processed);
          processed.push(record);
          this.#reacted.add(record.id);
        }
        position = record.position + 1;
        if (processed.length < eventsPerCheckpoint) continue;
        const next = { ...failed, position };
        await this.#forget(processed, (passed) => storage.suspend(name, term, next, 0, passed));
        processed = [];
      }
    } while (lane.skipped >= position);
    // From here on, events of the stream wait in the lane.
    lane.failed = null;
    lane.isResuming = true;
    this.#failures.set(streamId, false);
    await this.#forget(processed, (passed) => storage.resume(name, term, streamId, passed));
    lane.isResuming = false;
    this.#changed.add(streamId);
  }

  /**
   * Changes the record of a failed stream, and forgets processed events before its new position: at once if the stored place has passed them,
   * otherwise when it does.
   */
  async #forget(
    processed: readonly StoredRecord[],
    change: (passed: readonly Uuid[]) => Promise<boolean>,
  ): Promise<void> {
    await this.#stored.settled();
    this.#require(!this.isOver);
    const isPassed = (record: StoredRecord): boolean =>
      this.#passed.find(record.id) === undefined && !this.#isUnread(record);
    const passed = new Set(processed.filter(isPassed).map(({ id }) => id));
    this.#require(await change([...passed]));
    for (const record of processed) {
      if (passed.has(record.id)) continue;
      const read = this.#passed.find(record.id);
      if (read !== undefined) done(read, 'reacted');
      else if (isPassed(record)) this.#forgotten.push({ ...this.segments.of(record.streamId), id: record.id });
    }
  }

  #run(record: AnyRecord, attempt: number): Promise<FailedAttempt | null> {
    const { segment, term } = this.segments.of(record.streamId);
    return this.#parts.react(this.#named, record, { segment, term, attempt, signal: this.#ending });
  }

  /** Records that the stream has failed at an event. Its later events wait. */
  async #suspend(
    lane: Lane,
    record: AnyRecord,
    attempt: number,
    { error }: FailedAttempt,
    processed: readonly StoredRecord[],
  ): Promise<void> {
    const { name, settings } = this.#named;
    const { streamId, position, id: eventId } = record;
    const failure: FailedStream = { streamId, position, eventId, attempts: attempt, ...recordedByCode(error) };
    const delay = delayAfter(settings, attempt, error);
    reportFailed(this.#named, record, { attempt, retryMs: delay, error }, this.#parts.report);
    // Before it is parked: after a crash in between it is reported twice, never not at all.
    if (delay === null) await this.#parts.parked(this.#named, record, failure);
    const { term } = this.segments.of(streamId);
    await this.#forget(processed, (passed) => this.#parts.storage.suspend(name, term, failure, delay, passed));
    this.#failures.set(streamId, true);
    this.#changed.add(streamId);
    for (const { read } of lane.queue.splice(0)) {
      this.#waiting--;
      done(read, 'skipped');
    }
    if (delay !== null) this.#nextRetry.in(delay);
  }

  #require(isInTerm: boolean): void {
    if (!isInTerm) throw new ReactionTakenOverError(this.#named.name);
  }

  /** Whether the place of an event is after what was read of its stream. */
  #isUnread(record: StoredRecord): boolean {
    return comparePlaces(record, this.segments.placeOf(record.streamId, this.#place)) > 0;
  }

  async #advance({ place, reacted }: Passed): Promise<void> {
    try {
      const moves = this.segments.movesTo({ place, reacted: [...reacted, ...this.#forgotten.splice(0)] });
      if (moves.length > 0 && !(await this.#parts.storage.advance(this.#named.name, place.sequence, moves))) this.end();
    } catch (error) {
      this.end(error);
    }
    this.#change.raise();
  }
}
