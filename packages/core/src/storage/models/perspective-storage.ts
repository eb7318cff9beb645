/**
 * The interface of a database that stores perspectives. A perspective has a table of models. The database also stores its progress, the
 * positions of each model's events, snapshots of models, and stopped streams. All of it changes in one commit.
 */
import type { Uuid } from '../../json/index.js';
import type { EnvelopeScope } from '../../messages/index.js';
import type { ColumnValue } from './column-values.js';
import type { RecordedPerspective } from './recorded-perspective.js';
import type { ModelChanges } from './model-changes.js';
import type { ModelSource, SourceKey, SourcePage } from './model-sources.js';
import type { ModelTables, TablesRef } from './model-tables.js';
import type { ModelQuery, ModelSelection } from './model-query.js';
import type { OpenRewind, RewindChanges } from './open-rewind.js';
import type { PerspectiveTable } from './perspective-table.js';
import type { Progress } from './progress.js';
import type { SegmentStorage } from './segment-storage.js';
import type { OutgoingRecord } from '../outgoing-record.js';
import type { PerspectiveStanding } from '../perspective-standing.js';

/** How many snapshots of a model are retained: the newest. */
export const retainedSnapshots = 5;

/** The identity of a model, which its first event determines. */
export interface ModelIdentity {
  /** Unique in the perspective: the id of its stream, or its key together with its owner. */
  readonly id: string;
  /** The key by which callers find it. Models of different owners may have the same key. */
  readonly key: string;
  /** Its owner as one string: the scope values that distinguish the models of the perspective. '' for none. */
  readonly owner: string;
  /** The scope of its first event in the log. */
  readonly scope: EnvelopeScope | null;
}

/** A model as a database stores it: its body as JSON text. */
export interface ModelRecord extends ModelIdentity {
  /** Null: `apply` has returned null. The row remains because of its last event id, and no caller sees it. */
  readonly body: string | null;
  /** How many events it has processed. */
  readonly version: number;
  /** The highest id among its events. */
  readonly lastEventId: Uuid;
}

/** A model as it was read. */
export interface StoredModel extends ModelRecord {
  /** That of its perspective after the last commit that changed the model. While a perspective is divided, it does not increase. */
  readonly revision: number;
}

/** A model to store, with the values of its indexed properties by their names. */
export interface IndexedModel extends ModelRecord {
  readonly indexed: Readonly<Record<string, ColumnValue>>;
}

/** The state of a model after one of its events. */
export interface ModelSnapshot {
  /** The id of the model. */
  readonly id: string;
  readonly eventId: Uuid;
  readonly body: string | null;
  readonly version: number;
}

/** A model that was replayed from the events after the given one; null: from its first event. */
export interface RewoundModel {
  readonly id: string;
  readonly afterEventId: Uuid | null;
}

/** A stream whose events a perspective no longer processes, because it failed at one. */
export interface StoppedStream {
  readonly streamId: Uuid;
  /** The event it failed at. */
  readonly eventId: Uuid;
  readonly position: number;
  readonly errorName: string;
  readonly errorMessage: string;
  /** How often it has failed at that event. */
  readonly attempts: number;
}

/** Tables that a running or interrupted rebuild fills. */
export interface RebuildingTables {
  readonly tables: ModelTables;
  /** The sequence number up to which they have processed events. */
  readonly sequence: number;
  /** Whether they have the columns and the version of the serving tables: only then can they replace them. */
  readonly isAlike: boolean;
}

/** The changes of a batch to a perspective, committed atomically. */
export interface PerspectiveCommit {
  readonly perspective: string;
  /** The tables to change. Default: the serving ones. */
  readonly tables?: ModelTables;
  /** The progress before the batch. If the revision has changed since, another host was faster and nothing is committed. */
  readonly from: Progress;
  readonly to: number;
  readonly models: readonly IndexedModel[];
  /** Added to the stored sources of the same models. */
  readonly sources: readonly ModelSource[];
  /** Their snapshots of later events are deleted before `snapshots` are added. */
  readonly rewound: readonly RewoundModel[];
  readonly snapshots: readonly ModelSnapshot[];
  readonly stopped: readonly StoppedStream[];
  /** Streams that are no longer stopped, removed before `stopped` are added. */
  readonly resumed: readonly Uuid[];
  /** Messages to queue in the outbox, in this order. */
  readonly outgoing?: readonly OutgoingRecord[];
  readonly rewinds?: RewindChanges;
}

/** The reads that a replica of the database can serve. `readProgress` says how far its models are. */
export type ModelReplica = Pick<
  PerspectiveStorage,
  'readProgress' | 'readModels' | 'findModels' | 'listModels' | 'countModels'
>;

/**
 * The capability `perspectives`: the part of a database that stores models. A perspective that was never written to is empty.
 *
 * Without it, the host holds the models in memory and replays all events at each start.
 */
export interface PerspectiveStorage {
  /** Reads models for callers, if a replica serves them. What it has may be older. */
  readonly replica?: ModelReplica;
  /** How many rows one commit may have, models with sources and snapshots, so that other work does not wait long for it. */
  readonly largestCommit: number;
  /** Divides perspectives among hosts. Absent: a perspective has one host at a time. */
  readonly segments?: SegmentStorage;
  /** Tells readers that models have changed. */
  readonly changes: ModelChanges;
  /**
   * Declares the perspectives of this host, before any other call. A table that is missing is created. One that differs is used with
   * the columns it has: changing it is a migration. A perspective that was not declared has no columns.
   */
  define(tables: readonly PerspectiveTable[]): void;
  /**
   * The tables with the models of this host's version: the serving ones, or those that were retained when another version replaced them.
   * Null: there are none.
   */
  ownPlace(perspective: string): Promise<ModelTables | null>;
  /** All perspectives that serve, in the order of their names. */
  readPerspectives(): Promise<readonly RecordedPerspective[]>;
  /** The lag of perspectives, counted up to `limit` events. Health checks call it often, so it must be cheap. */
  readStandings(perspectives: readonly string[], limit: number): Promise<readonly PerspectiveStanding[]>;
  /** The progress of tables, or of a segment. A segment that does not exist has no events to process. */
  readProgress(perspective: TablesRef): Promise<Progress>;
  /** The models with some of the ids that exist, including those without a body. */
  readModels(perspective: TablesRef, ids: readonly string[]): Promise<readonly StoredModel[]>;
  /** The models with a key, of any owner, at most `limit`. Only those with a body. */
  findModels(perspective: TablesRef, key: string, limit: number): Promise<readonly StoredModel[]>;
  /** The models of a query, only those with a body. Throws a `PropertyNotReadyError` for a column that the table does not have yet. */
  listModels(perspective: TablesRef, query: ModelQuery): Promise<readonly StoredModel[]>;
  /** The number of models that `listModels` would return without a limit. */
  countModels(perspective: TablesRef, selection: ModelSelection): Promise<number>;
  /** The stopped streams of tables, or of a segment. Of a stream at which several segments have stopped, the first stop. */
  readStopped(perspective: TablesRef): Promise<readonly StoppedStream[]>;
  /** The rewinds that hosts of a lane have started and not completed. */
  readRewinds(lane: string): Promise<readonly OpenRewind[]>;
  /**
   * The sources of a model with events after the given one; null: all. Reads at least `sourcesPerPage` sources, later blocks of a stream first,
   * and starts after the `next` of the previous page.
   */
  readSources(
    perspective: TablesRef,
    id: string,
    afterEventId: Uuid | null,
    next: SourceKey | null,
  ): Promise<SourcePage>;
  /** The ids of the models that have events of a stream. */
  readModelIds(perspective: TablesRef, streamId: Uuid): Promise<readonly string[]>;
  /** The newest snapshot of a model before an event. */
  readSnapshot(perspective: TablesRef, id: string, beforeEventId: Uuid): Promise<ModelSnapshot | null>;
  /**
   * Commits a batch. Or commits nothing, and throws a `PerspectiveMovedError`, or a `PerspectiveDefinedOtherwiseError` if the models belong to
   * another version.
   */
  commitPerspective(commit: PerspectiveCommit): void | Promise<void>;
  /**
   * Replaces the serving tables of a perspective with others, if the progress of both is still `from` and `byFrom`; otherwise throws a
   * `PerspectiveMovedError`.
   */
  replacePerspective(perspective: string, by: TablesRef, from: Progress, byFrom: Progress): void | Promise<void>;
  /** Deletes all data of a perspective, and increases its revision. */
  clearPerspective(perspective: string): void | Promise<void>;
  readRebuilding(perspective: string): Promise<readonly RebuildingTables[]>;
  /** Removes tables that do not serve, and their records. */
  removeTables(tables: TablesRef): void | Promise<void>;
  /**
   * Removes everything that the database stores about a perspective: its tables of all versions, and what its migrations have applied. If a program
   * with the perspective starts later, that program creates empty tables and processes all events.
   */
  removePerspective(perspective: string): void | Promise<void>;
}
