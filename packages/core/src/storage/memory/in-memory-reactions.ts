import type { Uuid } from '../../json/index.js';
import { SystemEventStream } from '../../messages/index.js';
import type { CommitRecord } from '../commit-record.js';
import type { DueStreams, ReactionTerm, StorageReactions } from '../capabilities/reactions.js';
import { MessageSettledError } from '../message-settled-error.js';
import type {
  FailedStream,
  FailedStreamRecord,
  ReactionRecord,
  ReactionStanding,
  ReactionStart,
} from '../reaction-record.js';
import { ReactionTakenOverError } from '../reaction-taken-over-error.js';
import type { LogEntry } from './log-entry.js';

interface Failed extends FailedStream {
  /** When it is retried; null: it is parked. */
  readonly retryAt: number | null;
}

interface Known {
  record: ReactionRecord;
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
    const record = { name, sequence, term: 0, isPaused: false, ...started };
    this.#known.set(name, { record, reacted: new Set(), failed: new Map() });
    return Promise.resolve(true);
  }

  find(name: string): Promise<ReactionRecord | null> {
    return Promise.resolve(this.#known.get(name)?.record ?? null);
  }

  readStandings(limit: number): Promise<readonly ReactionStanding[]> {
    const standings = [...this.#known.values()].map(({ record, failed }) => {
      const parked = [...failed.values()].filter(({ retryAt }) => retryAt === null).length;
      const behind = Math.min(this.#log.length - 1 - record.sequence, limit);
      const oldest = this.#log[record.sequence + 1]?.event.timestamp ?? null;
      return Object.assign({ behind, oldest, waiting: failed.size - parked, parked }, record);
    });
    return Promise.resolve(standings.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
  }

  begin(name: string): Promise<ReactionTerm | null> {
    const known = this.#newTerm(name);
    if (known === null) return Promise.resolve(null);
    return Promise.resolve({
      ...known.record,
      reacted: [...known.reacted],
      hasFailedStreams: known.failed.size > 0,
    });
  }

  advance(name: string, term: number, sequence: number, passed: readonly Uuid[]): Promise<boolean> {
    return this.#inTerm(name, term, (known) => {
      known.record = { ...known.record, sequence };
      forget(known, passed);
    });
  }

  suspend(
    name: string,
    term: number,
    stream: FailedStream,
    retryInMs: number | null,
    passed: readonly Uuid[],
  ): Promise<boolean> {
    return this.#inTerm(name, term, (known) => {
      known.failed.set(stream.streamId, { ...stream, retryAt: retryInMs === null ? null : Date.now() + retryInMs });
      forget(known, passed);
    });
  }

  resume(name: string, term: number, streamId: Uuid, passed: readonly Uuid[]): Promise<boolean> {
    return this.#inTerm(name, term, (known) => {
      known.failed.delete(streamId);
      forget(known, passed);
    });
  }

  findFailed(name: string, streamIds: readonly Uuid[]): Promise<readonly Uuid[]> {
    return Promise.resolve(streamIds.filter((id) => this.#known.get(name)?.failed.has(id) === true));
  }

  readDue(name: string, limit: number): Promise<DueStreams> {
    const now = Date.now();
    const waiting = [...(this.#known.get(name)?.failed.values() ?? [])]
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
    if (known !== null) known.record = { ...known.record, isPaused };
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
    if (known?.record.term !== reacted.term) throw new ReactionTakenOverError(reacted.reaction);
    if (known.reacted.has(reacted.eventId)) throw new MessageSettledError(reacted.eventId);
  }

  commit({ reacted }: CommitRecord): void {
    if (reacted !== undefined) this.#known.get(reacted.reaction)!.reacted.add(reacted.eventId);
  }

  #newTerm(name: string): Known | null {
    const known = this.#known.get(name);
    if (known === undefined) return null;
    known.record = { ...known.record, term: known.record.term + 1 };
    return known;
  }

  #inTerm(name: string, term: number, change: (known: Known) => void): Promise<boolean> {
    const known = this.#known.get(name);
    if (known?.record.term !== term) return Promise.resolve(false);
    change(known);
    return Promise.resolve(true);
  }
}

function forget({ reacted }: Known, passed: readonly Uuid[]): void {
  for (const id of passed) reacted.delete(id);
}

function withoutTime({ retryAt: _time, ...stream }: Failed): FailedStream {
  return stream;
}
