import { BackgroundWorker } from '../background/index.js';
import { FollowedReaction } from './followed-reaction.js';
import type { NamedReaction } from './named-reaction.js';
import { OwnSegments } from './own-segments.js';
import type { ReactionParts } from './reaction-parts.js';

/** How many records of the log are read at once. */
const pageSize = 1_000;
/** How long a round lasts at most: then the host checks whether it still runs the reaction. */
const roundMs = 1_000;
/** How long a host that stops waits for running reactions. They run again on another host. */
const longestStopMs = 10_000;

export interface ReactionWorkerParts extends Omit<ReactionParts, 'wake'> {
  /** The segments that this host runs. */
  readonly held: () => Promise<readonly number[]>;
}

/** Runs one reaction, in the segments whose leases this host holds. */
export class ReactionWorker {
  readonly #named: NamedReaction;
  readonly #parts: ReactionWorkerParts;
  readonly #worker: BackgroundWorker;
  #followed: FollowedReaction | null = null;
  #isStopping = false;

  constructor(named: NamedReaction, parts: ReactionWorkerParts) {
    this.#named = named;
    this.#parts = parts;
    this.#worker = new BackgroundWorker(() => this.#step(), parts.report);
  }

  wake(): void {
    this.#worker.wake();
  }

  get isBusy(): boolean {
    return this.#worker.isBusy || this.#followed?.isBusy === true;
  }

  async idle(): Promise<void> {
    while (this.isBusy) {
      await this.#worker.idle();
      await this.#followed?.idle();
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const stopping = this.#followed?.stop(longestStopMs);
    await this.#worker.stop();
    await stopping;
    await this.#followed?.stop(longestStopMs);
  }

  /** Returns whether there may be more to read. */
  async #step(): Promise<boolean> {
    if (this.#isStopping) return false;
    const held = await this.#parts.held();
    if (this.#followed?.segments.are(held) === false) await this.#release();
    if (held.length === 0) return false;
    if (this.#followed?.isOver === true) {
      const { failure } = this.#followed;
      this.#followed = null;
      if (failure !== undefined) throw failure;
    }
    this.#followed ??= await this.#begin(held);
    return this.#followed === null ? false : await this.#read(this.#followed);
  }

  /** Lets running reactions end before another host takes over. */
  async #release(): Promise<void> {
    const followed = this.#followed;
    this.#followed = null;
    await followed?.stop(longestStopMs);
  }

  /** Ends the term if an operator has changed the reaction, or another host runs it. Commits check it too; this avoids calls to other systems. */
  async #check(followed: FollowedReaction): Promise<void> {
    const stored = await this.#parts.storage.find(this.#named.name);
    if (stored === null || !followed.segments.areCurrent(stored)) followed.end();
  }

  /** Null: the reaction is paused. */
  async #begin(held: readonly number[]): Promise<FollowedReaction | null> {
    const { storage, log } = this.#parts;
    const { name } = this.#named;
    if ((await storage.find(name))?.isPaused !== false) return null;
    const term = await storage.begin(name, held);
    if (term === null || term.isPaused) return null;
    const sequences = [...new Set(term.segments.map(({ sequence }) => sequence))];
    const places = new Map(await Promise.all(sequences.map(async (one) => [one, await log.placeAt(one)] as const)));
    const segments = new OwnSegments(
      term.segments.map((segment) => Object.assign({ place: places.get(segment.sequence)! }, segment)),
    );
    return new FollowedReaction(this.#named, term, segments, { ...this.#parts, wake: () => this.wake() });
  }

  async #read(followed: FollowedReaction): Promise<boolean> {
    const until = performance.now() + roundMs;
    // While the first page is read.
    const checked = this.#check(followed);
    checked.catch(() => {});
    let isAtEnd = true;
    for await (const page of this.#parts.log.readReplayPages(followed.place.sequence, pageSize, followed.types)) {
      await checked;
      if (followed.isOver) return true;
      await followed.accept(page);
      await followed.room();
      isAtEnd = !followed.isOver && !this.#isStopping && performance.now() < until;
      if (!isAtEnd) break;
    }
    await checked;
    if (!followed.isOver) await followed.retryDue();
    // Later appends wake the worker.
    return !isAtEnd || followed.isOver;
  }
}
