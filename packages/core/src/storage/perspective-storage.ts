import type { Uuid } from '../json/index.js';
import type { EnvelopeScope } from '../messages/index.js';

/** A model of a perspective as a database keeps it: its body as JSON text. */
export interface ModelRecord {
  readonly key: string;
  readonly body: string;
  /** Counts the events that have changed it, from 1. */
  readonly version: number;
  readonly lastEventId: Uuid;
  /** On whose behalf the first of its events happened. */
  readonly scope: EnvelopeScope | null;
}

/** A stream of which a perspective takes no more events, because it failed at one. */
export interface StoppedStream {
  readonly streamId: Uuid;
  /** The event it failed at. */
  readonly eventId: Uuid;
  readonly position: number;
  readonly errorName: string;
  readonly errorMessage: string;
}

/** What a batch of events does to a perspective: kept whole or not at all. */
export interface PerspectiveCommit {
  readonly perspective: string;
  /** The sequence number up to which events were taken before. When it is another by now, nothing is kept: somebody else was faster. */
  readonly from: number;
  readonly to: number;
  readonly models: readonly ModelRecord[];
  /** Keys of models that are no more. */
  readonly removed: readonly string[];
  readonly stopped: readonly StoppedStream[];
}

export interface ModelPage {
  readonly offset: number;
  readonly limit: number;
}

/** The part of a database that holds perspectives. */
export interface PerspectiveStorage {
  /** The sequence number up to which a perspective has taken events; -1 when it has taken none. */
  readProgress(perspective: string): Promise<number>;
  readModels(perspective: string, keys: readonly string[]): Promise<readonly ModelRecord[]>;
  /** Models in the order of their keys. */
  listModels(perspective: string, page: ModelPage): Promise<readonly ModelRecord[]>;
  readStopped(perspective: string): Promise<readonly StoppedStream[]>;
  /** Keeps a batch, or throws a `PerspectiveMovedError` and keeps nothing of it. */
  commitPerspective(commit: PerspectiveCommit): void | Promise<void>;
}
