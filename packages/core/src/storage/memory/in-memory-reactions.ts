import type { Uuid } from '../../json/index.js';
import { SystemEventStream } from '../../messages/index.js';
import type { CommitRecord } from '../commit-record.js';
import type { DueStreams, ReactionTerm, SegmentMove, StorageReactions } from '../capabilities/reactions.js';
import { MessageSettledError } from '../message-settled-error.js';
import type {
  FailedStream,
  FailedStreamRecord,
  ReactionFacts,
  ReactionRecord,
  ReactionSegment,
  ReactionStanding,
  ReactionStart,
} from '../reaction-record.js';
import { reactionSegmentOf, reactionSegments } from '../reaction-segment.js';
import { ReactionTakenOverError } from '../reaction-taken-over-error.js';
import type { LogEntry } from './log-entry.js';

interface Failed extends FailedStream {
  /** When it is retried; null: it is parked. */
  readonly retryAt: number | null;
}

interface Known {
  facts: ReactionFacts;
  readonly segments: ReactionSegment[];
  readonly reacted: Set<Uuid>;
  readonly failed: Map<Uuid, Failed>;
}

/** The reactions of the in-memory storage. */
export class InMemoryReactions implements StorageReactions {
  readonly #log: readonly LogEntry[];
  readonly #known = new Map<string, Known>();

  constructor(log: readonly LogEntry[]) {
    this.#log = log;
  }

  register(name: string, from: ReactionStart | null): Promise<boolean> {
    if (this.#known.has(name)) return Promise.resolve(true);
    const hasEvents = this.#log.some(
      ({ event: { streamId, type } }) => streamId !== SystemEventStream.streamId && !type.startsWith('svc.'),
    );
    if (from === null && hasEvents) return Promise.resolve(false);
    const sequence = from === 'now' ? this.#log.length - 1 : -1;
    const started = { startedAt: Date.now(), startedAfter: sequence };
    const facts = { name, isPaused: false, ...started };
    const segments = Array.from({ length: reactionSegments }, (_, segment) => ({ segment, sequence, term: 0 }));
    this.#known.set(name, { facts, segments, reacted: new Set(), failed: new Map() });
    return Promise.resolve(true);
  }

  find(name: string): Promise<ReactionRecord | null> {
    const known = this.#known.get(name);
    return Promise.resolve(known === undefined ? null : { ...known.facts, segments: [...known.segments] });
  }

  readStandings(limit: number): Promise<readonly ReactionStanding[]> {
    const standings = [...this.#known.values()].map(({ facts, segments, failed }) => {
      const parked = [...failed.values()].filter(({ retryAt }) => retryAt === null).length;
      const sequence = Math.min(...segments.map((segment) => segment.sequence));
      const behind = Math.min(this.#log.length - 1 - sequence, limit);
      const oldest = this.#log[sequence + 1]?.event.timestamp ?? null;
      return Object.assign({ sequence, behind, oldest, waiting: failed.size - parked, parked }, facts);
    });
    return Promise.resolve(standings.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
  }

  begin(name: string, segments: readonly number[]): Promise<ReactionTerm | null> {
    const known = this.#newTerm(name, segments);
    if (known === null) return Promise.resolve(null);
    return Promise.resolve({
      isPaused: known.facts.isPaused,
      segments: known.segments.filter(({ segment }) => segments.includes(segment)),
      reacted: [...known.reacted],
      hasFailedStreams: [...known.failed.keys()].some((id) => segments.includes(reactionSegmentOf(id))),
    });
  }

  advance(name: string, sequence: number, moves: readonly SegmentMove[]): Promise<boolean> {
    const moved = moves.map(({ segment, term, passed }) =>
      this.#inTerm({ name, segment, term }, (known) => {
        known.segments[segment] = { segment, term, sequence };
        forget(known, passed);
      }),
    );
    return Promise.resolve(moved.every(Boolean));
  }

  suspend(
    name: string,
    term: number,
    stream: FailedStream,
    retryInMs: number | null,
    passed: readonly Uuid[],
  ): Promise<boolean> {
    const own = { name, segment: reactionSegmentOf(stream.streamId), term };
    const isChanged = this.#inTerm(own, (known) => {
      known.failed.set(stream.streamId, { ...stream, retryAt: retryInMs === null ? null : Date.now() + retryInMs });
      forget(known, passed);
    });
    return Promise.resolve(isChanged);
  }

  resume(name: string, term: number, streamId: Uuid, passed: readonly Uuid[]): Promise<boolean> {
    const isChanged = this.#inTerm({ name, segment: reactionSegmentOf(streamId), term }, (known) => {
      known.failed.delete(streamId);
      forget(known, passed);
    });
    return Promise.resolve(isChanged);
  }

  findFailed(name: string, streamIds: readonly Uuid[]): Promise<readonly Uuid[]> {
    return Promise.resolve(streamIds.filter((id) => this.#known.get(name)?.failed.has(id) === true));
  }

  readDue(name: string, segments: readonly number[], limit: number): Promise<DueStreams> {
    const now = Date.now();
    const waiting = [...(this.#known.get(name)?.failed.values() ?? [])]
      .filter(({ streamId }) => segments.includes(reactionSegmentOf(streamId)))
      .filter((stream): stream is Failed & { retryAt: number } => stream.retryAt !== null)
      .toSorted((a, b) => a.retryAt - b.retryAt);
    const due = waiting.filter(({ retryAt }) => retryAt <= now).slice(0, limit);
    const next = waiting[due.length];
    return Promise.resolve({
      streams: due.map(withoutTime),
      nextInMs: next === undefined ? null : Math.max(0, next.retryAt - now),
    });
  }

  readFailed(name: string, after: Uuid | null, limit: number): Promise<readonly FailedStreamRecord[]> {
    const now = Date.now();
    const streams = [...(this.#known.get(name)?.failed.values() ?? [])]
      .filter(({ streamId }) => after === null || streamId > after)
      .toSorted((a, b) => (a.streamId < b.streamId ? -1 : 1))
      .slice(0, limit)
      .map((stream) =>
        Object.assign(withoutTime(stream), {
          retryInMs: stream.retryAt === null ? null : Math.max(0, stream.retryAt - now),
        }),
      );
    return Promise.resolve(streams);
  }

  setPaused(name: string, isPaused: boolean): Promise<boolean> {
    const known = this.#newTerm(name);
    if (known !== null) known.facts = { ...known.facts, isPaused };
    return Promise.resolve(known !== null);
  }

  retry(name: string, streamId: Uuid | null): Promise<number> {
    const known = this.#newTerm(name);
    if (known === null) return Promise.resolve(0);
    const chosen = [...known.failed.values()].filter((stream) => streamId === null || stream.streamId === streamId);
    for (const stream of chosen) known.failed.set(stream.streamId, { ...stream, attempts: 0, retryAt: Date.now() });
    return Promise.resolve(chosen.length);
  }

  skip(name: string, streamId: Uuid): Promise<boolean> {
    const known = this.#newTerm(name);
    const stream = known?.failed.get(streamId);
    if (stream === undefined) return Promise.resolve(false);
    known!.failed.set(streamId, { ...stream, position: stream.position + 1, attempts: 0, retryAt: Date.now() });
    return Promise.resolve(true);
  }

  /** Throws if a processed event must not be committed. */
  require({ reacted }: CommitRecord): void {
    if (reacted === undefined) return;
    const known = this.#known.get(reacted.reaction);
    if (known?.segments[reacted.segment]?.term !== reacted.term) throw new ReactionTakenOverError(reacted.reaction);
    if (known.reacted.has(reacted.eventId)) throw new MessageSettledError(reacted.eventId);
  }

  commit({ reacted }: CommitRecord): void {
    if (reacted !== undefined) this.#known.get(reacted.reaction)!.reacted.add(reacted.eventId);
  }

  /** Begins a term of some segments, or of all. */
  #newTerm(name: string, segments?: readonly number[]): Known | null {
    const known = this.#known.get(name);
    if (known === undefined) return null;
    for (const [i, one] of known.segments.entries()) {
      if (segments?.includes(i) !== false) known.segments[i] = { ...one, term: one.term + 1 };
    }
    return known;
  }

  #inTerm(
    { name, segment, term }: { name: string; segment: number; term: number },
    change: (known: Known) => void,
  ): boolean {
    const known = this.#known.get(name);
    if (known?.segments[segment]?.term !== term) return false;
    change(known);
    return true;
  }
}

function forget({ reacted }: Known, passed: readonly Uuid[]): void {
  for (const id of passed) reacted.delete(id);
}

function withoutTime({ retryAt: _time, ...stream }: Failed): FailedStream {
  return stream;
}
