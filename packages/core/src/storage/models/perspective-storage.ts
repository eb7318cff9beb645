/**
 * What a database implements to keep perspectives. A perspective has a table of models. The database also stores how far it has come, where
 * the events of each model are, snapshots of models, and the streams it stopped at. All of it changes in one commit.
 */
import type { Uuid } from '../../json/index.js';
import type { EnvelopeScope } from '../../messages/index.js';
import type { ColumnValue } from './column-values.js';
import type { KeptPerspective } from './kept-perspective.js';
import type { ModelSource, SourceKey, SourcePage } from './model-sources.js';
import type { ModelTables, TablesRef } from './model-tables.js';
import type { ModelQuery } from './model-query.js';
import type { OpenRewind, RewindChanges } from './open-rewind.js';
import type { PerspectiveTable } from './perspective-table.js';
import type { OutgoingRecord } from '../outgoing-record.js';
import type { PerspectiveStanding } from '../perspective-standing.js';

/** How many snapshots of a model are kept: the newest. */
export const snapshotsKept = 5;

/** What a model is known by, from its first event on. */
export interface ModelIdentity {
  /** Its own within the perspective: the id of its stream, or its key together with its owner. */
  readonly id: string;
  /** What callers ask for it by. Models of different owners may have the same key. */
  readonly key: string;
  /** Whose it is, as one text: the values of the scope that the perspective tells models apart by. '' for none. */
  readonly owner: string;
  /** On whose behalf its first event in the log happened. */
  readonly scope: EnvelopeScope | null;
}

/** A model as a database stores it: its body as JSON text. */
export interface ModelRecord extends ModelIdentity {
  /** Null: its events make no model, or none any more. The row stays for its last event's sake, and no caller sees it. */
  readonly body: string | null;
  /** Counts the events it is made of, from 1. */
  readonly version: number;
  /** The highest id among its events. */
  readonly lastEventId: Uuid;
}

/** A model on its way into a database, with the values of its indexed properties by their names. */
export interface IndexedModel extends ModelRecord {
  readonly indexed: Readonly<Record<string, ColumnValue>>;
}

/** A model as it was after one of its events. */
export interface ModelSnapshot {
  /** That of the model. */
  readonly id: string;
  readonly eventId: Uuid;
  readonly body: string | null;
  readonly version: number;
}

/** A model was made anew from behind an event on; null: from its first event on. */
export interface RewoundModel {
  readonly id: string;
  readonly afterEventId: Uuid | null;
}

/** A stream of which a perspective takes no more events, because it failed at one. */
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

/** How far a perspective has come. */
export interface Progress {
  /** The sequence number up to which it has taken events; -1 when it has taken none. */
  readonly sequence: number;
  /** Changes with everything that is kept of it: a batch makes it one more. */
  readonly revision: number;
  /** The models are those of another version than this host's. */
  readonly ofOtherVersion?: true;
}

/**
 * Whether something is where a progress was read. Tables that were removed and made again may have come to the same revision by other
 * ways: they are not as far.
 */
export function isAt({ sequence, revision }: Progress, from: Progress): boolean {
  return revision === from.revision && sequence === from.sequence;
}

/** Tables that a rebuild fills, or did until its host was gone. */
export interface RebuildingTables {
  readonly tables: ModelTables;
  /** How far they have come. */
  readonly sequence: number;
  /** Whether they have the columns and the version of the tables that serve: only then can they replace them. */
  readonly isAlike: boolean;
}

/** What a batch of events does to a perspective: kept whole or not at all. */
export interface PerspectiveCommit {
  readonly perspective: string;
  /** Those of the perspective that it is for. Default: the ones that serve. */
  readonly tables?: ModelTables;
  /** Where it stood when the batch was begun. When its revision is another by now, nothing is kept: somebody else was faster. */
  readonly from: Progress;
  readonly to: number;
  readonly models: readonly IndexedModel[];
  /** Added to what is known of the same models. */
  readonly sources: readonly ModelSource[];
  /** Their snapshots of later events are thrown away before `snapshots` are added. */
  readonly rewound: readonly RewoundModel[];
  readonly snapshots: readonly ModelSnapshot[];
  readonly stopped: readonly StoppedStream[];
  /** Streams that are not stopped any more; before `stopped` are added. */
  readonly resumed: readonly Uuid[];
  /** What is told with it, to be queued in this order. */
  readonly outgoing?: readonly OutgoingRecord[];
  readonly rewinds?: RewindChanges;
}

/**
 * The capability `perspectives`: the part of a database that stores models. A perspective that was never written to is empty.
 *
 * Without it, the host holds the models in memory and replays all events at each start.
 */
export interface PerspectiveStorage {
  /** How many rows one commit may have, models and what belongs to them, so that other work does not wait long for it. */
  readonly largestCommit: number;
  /**
   * Declares the perspectives of this host, before any other call. A table that is missing is created. One that differs is used with
   * the columns it has: changing it is a migration. A perspective that was not declared has no columns.
   */
  define(tables: readonly PerspectiveTable[]): void;
  /**
   * The tables that have the models of this host's version: those that serve, or those that were retained when the ones of another version
   * replaced them. Null: there are none.
   */
  ownPlace(perspective: string): Promise<ModelTables | null>;
  /** All perspectives that serve, in the order of their names. */
  readPerspectives(): Promise<readonly KeptPerspective[]>;
  /** How far perspectives are behind, counting up to `limit` events. Health checks call it often: it costs little. */
  readStandings(perspectives: readonly string[], limit: number): Promise<readonly PerspectiveStanding[]>;
  readProgress(perspective: TablesRef): Promise<Progress>;
  /** Those of some ids that there are, also those without a body. */
  readModels(perspective: TablesRef, ids: readonly string[]): Promise<readonly ModelRecord[]>;
  /** Models with a key, whoever owns them: `limit` at most. Only those that have a body. */
  findModels(perspective: TablesRef, key: string, limit: number): Promise<readonly ModelRecord[]>;
  /** Models that have a body and are asked for. A column that the table does not have, or not yet, is a `PropertyNotReadyError`. */
  listModels(perspective: TablesRef, query: ModelQuery): Promise<readonly ModelRecord[]>;
  readStopped(perspective: TablesRef): Promise<readonly StoppedStream[]>;
  /** The rewinds that hosts of a lane have begun and not finished. */
  readRewinds(lane: string): Promise<readonly OpenRewind[]>;
  /**
   * Where a model has events behind one; null: any. Looks at `sourcesPerPage` sources or more, those of later blocks of a stream first, from behind
   * `next` of the page before on.
   */
  readSources(
    perspective: TablesRef,
    id: string,
    afterEventId: Uuid | null,
    next: SourceKey | null,
  ): Promise<SourcePage>;
  /** The ids of the models that have events of a stream. */
  readModelIds(perspective: TablesRef, streamId: Uuid): Promise<readonly string[]>;
  /** The newest snapshot of a model that is older than an event. */
  readSnapshot(perspective: TablesRef, id: string, beforeEventId: Uuid): Promise<ModelSnapshot | null>;
  /**
   * Keeps a batch; or throws a `PerspectiveMovedError`, or a `PerspectiveDefinedOtherwiseError` when the models are those of another
   * version, and keeps nothing of it.
   */
  commitPerspective(commit: PerspectiveCommit): void | Promise<void>;
  /**
   * Replaces the tables of a perspective that serve by others, when both are where `from` and `byFrom` say; or throws a
   * `PerspectiveMovedError`.
   */
  replacePerspective(perspective: string, by: TablesRef, from: Progress, byFrom: Progress): void | Promise<void>;
  /** Forgets everything of a perspective but that its revision is another one now. */
  clearPerspective(perspective: string): void | Promise<void>;
  readRebuilding(perspective: string): Promise<readonly RebuildingTables[]>;
  /** Removes tables and all that is recorded of them; for those that do not serve. */
  removeTables(tables: TablesRef): void | Promise<void>;
}
