import { randomUUID } from 'node:crypto';
import type { Uuid } from '../../json/index.js';
import { queryModels } from './in-memory-query.js';
import { ModelListeners, type ModelChanges } from '../models/model-changes.js';
import type { ModelQuery, ModelSelection } from '../models/model-query.js';
import { ModelSources, type SourcePage } from '../models/model-sources.js';
import type { OpenRewind, RewindChanges } from '../models/open-rewind.js';
import { PerspectiveMovedError } from '../models/perspective-moved-error.js';
import {
  retainedSnapshots,
  type IndexedModel,
  type ModelSnapshot,
  type PerspectiveCommit,
  type PerspectiveStorage,
  type RebuildingTables,
  type StoppedStream,
  type StoredModel,
} from '../models/perspective-storage.js';
import { isAt, type Progress } from '../models/progress.js';
import type { OutgoingRecord } from '../outgoing-record.js';
import { compareCodePoints } from '../models/column-values.js';
import type { StoredRecord } from '../event-record.js';
import { recordedPerspective, type RecordedPerspective } from '../models/recorded-perspective.js';
import { asTables, type ModelTables, type TablesRef } from '../models/model-tables.js';
import type { PerspectiveStanding } from '../perspective-standing.js';
import type { PerspectiveTable } from '../models/perspective-table.js';

/** The part of the storage with the events that models in memory need. */
export interface ModelledLog {
  /** Puts the messages of a commit into the outbox. */
  queue(outgoing: readonly OutgoingRecord[]): void;
  /** The events after the one with a sequence number. */
  readAfter(sequence: number): AsyncIterable<StoredRecord>;
}

const emptyLog: ModelledLog = { queue: () => {}, async *readAfter() {} };

/** Perspectives in this process's memory. */
export class InMemoryPerspectives implements PerspectiveStorage {
  readonly largestCommit = 1_000;
  readonly #tables = new Map<string, Table>();
  readonly #defined = new Map<string, PerspectiveTable>();
  readonly #rewinds = new Map<string, Map<Uuid, OpenRewind>>();
  readonly #log: ModelledLog;
  readonly #listeners = new ModelListeners();
  readonly changes: ModelChanges = {
    listen: (listener) => this.#listeners.add(listener),
    flush: () => Promise.resolve(),
  };

  constructor(log: ModelledLog = emptyLog) {
    this.#log = log;
  }

  define(tables: readonly PerspectiveTable[]): void {
    for (const table of tables) {
      const { perspective } = table;
      const known = this.#defined.get(perspective);
      this.#defined.set(perspective, table);
      if (known === undefined || JSON.stringify(known.columns) === JSON.stringify(table.columns)) continue;
      this.clearPerspective(perspective);
      for (const left of this.#rebuilding(perspective)) this.removeTables(left.tables);
    }
  }

  /** One process has one version of each perspective. */
  ownPlace(perspective: string): Promise<ModelTables> {
    return Promise.resolve(asTables(perspective));
  }

  readPerspectives(): Promise<readonly RecordedPerspective[]> {
    const defined = [...this.#defined.values()].toSorted((a, b) => compareCodePoints(a.perspective, b.perspective));
    return Promise.resolve(defined.map((table) => recordedPerspective(this.#table(table.perspective).sequence, table)));
  }

  readStandings(perspectives: readonly string[], limit: number): Promise<readonly PerspectiveStanding[]> {
    return Promise.all(perspectives.map((perspective) => this.#standingOf(perspective, limit)));
  }

  readProgress(perspective: TablesRef): Promise<Progress> {
    const { sequence, revision, changed, generation } = this.#table(perspective);
    return Promise.resolve({ sequence, revision, changed, generation });
  }

  readModels(perspective: TablesRef, ids: readonly string[]): Promise<readonly StoredModel[]> {
    const { models } = this.#table(perspective);
    return Promise.resolve(ids.map((id) => models.get(id)).filter((model) => model !== undefined));
  }

  findModels(perspective: TablesRef, key: string, limit: number): Promise<readonly StoredModel[]> {
    const found: StoredModel[] = [];
    for (const model of this.#table(perspective).models.values()) {
      if (model.key === key && model.body !== null && found.push(model) === limit) break;
    }
    return Promise.resolve(found);
  }

  listModels(perspective: TablesRef, query: ModelQuery): Promise<readonly StoredModel[]> {
    const columns = this.#defined.get(asTables(perspective).perspective)?.columns ?? [];
    const { models, owned } = this.#table(perspective);
    const asked = query.owner === null ? models : (owned.get(query.owner.owner) ?? new Map<string, HeldModel>());
    return Promise.resolve(queryModels(asked.values(), columns, query));
  }

  async countModels(perspective: TablesRef, { owner, principals, where = [] }: ModelSelection): Promise<number> {
    return (await this.listModels(perspective, { owner, principals, where, offset: 0, limit: Infinity })).length;
  }

  readStopped(perspective: TablesRef): Promise<readonly StoppedStream[]> {
    return Promise.resolve([...this.#table(perspective).stopped.values()]);
  }

  readRewinds(lane: string): Promise<readonly OpenRewind[]> {
    return Promise.resolve([...(this.#rewinds.get(lane)?.values() ?? [])]);
  }

  readSources(perspective: TablesRef, id: string, afterEventId: Uuid | null): Promise<SourcePage> {
    return Promise.resolve({ sources: this.#table(perspective).sources.of(id, afterEventId), next: null });
  }

  readModelIds(perspective: TablesRef, streamId: Uuid): Promise<readonly string[]> {
    return Promise.resolve(this.#table(perspective).sources.modelsWith(streamId));
  }

  readSnapshot(perspective: TablesRef, id: string, beforeEventId: Uuid): Promise<ModelSnapshot | null> {
    const snapshots = this.#table(perspective).snapshots.get(id) ?? [];
    return Promise.resolve(snapshots.findLast(({ eventId }) => eventId < beforeEventId) ?? null);
  }

  commitPerspective({ perspective, tables, from, to, ...changes }: PerspectiveCommit): void {
    const table = this.#tableAt(tables ?? perspective, from);
    if (changes.rewinds !== undefined && !this.#areKnown(changes.rewinds)) {
      throw new PerspectiveMovedError(perspective, from.sequence, table.sequence);
    }
    table.sequence = to;
    table.revision++;
    if (changes.models.length > 0) table.changed = table.revision;
    for (const given of changes.models) {
      const model = { ...given, revision: table.revision };
      const before = table.models.get(model.id);
      if (before !== undefined && before.owner !== model.owner) table.owned.get(before.owner)?.delete(model.id);
      table.models.set(model.id, model);
      const owned = table.owned.get(model.owner) ?? new Map<string, HeldModel>();
      table.owned.set(model.owner, owned.set(model.id, model));
    }
    for (const source of changes.sources) table.sources.add(source);
    for (const { id, afterEventId } of changes.rewound) {
      const valid = table.snapshots.get(id)?.filter(({ eventId }) => afterEventId !== null && eventId <= afterEventId);
      if (valid !== undefined) table.snapshots.set(id, valid);
    }
    for (const snapshot of changes.snapshots) {
      const all = [...(table.snapshots.get(snapshot.id) ?? []), snapshot];
      all.sort((a, b) => (a.eventId < b.eventId ? -1 : 1));
      table.snapshots.set(snapshot.id, all.slice(-retainedSnapshots));
    }
    for (const streamId of changes.resumed) table.stopped.delete(streamId);
    for (const stream of changes.stopped) table.stopped.set(stream.streamId, stream);
    if (changes.rewinds !== undefined) this.#note(changes.rewinds);
    if (changes.outgoing !== undefined && changes.outgoing.length > 0) this.#log.queue(changes.outgoing);
    if (changes.models.length === 0 || table.tables.role !== 'serving') return;
    this.#listeners.tell({ perspective, ids: changes.models.map(({ id }) => id), revision: table.revision });
  }

  replacePerspective(perspective: string, by: TablesRef, from: Progress, byFrom: Progress): void {
    const replaced = this.#tableAt(perspective, from);
    const next = this.#tableAt(by, byFrom);
    // Greater than the revision of any of its models, as after a commit.
    const revision = Math.max(replaced.revision, next.revision) + 1;
    this.#tables.set(perspective, { ...next, tables: replaced.tables, revision, changed: revision });
    this.#listeners.tellAll([perspective]);
    this.#tables.delete(next.tables.name);
  }

  clearPerspective(perspective: string): void {
    const { tables, revision } = this.#table(perspective);
    this.#tables.set(perspective, emptyTable(tables, revision + 1));
    this.#listeners.tellAll([perspective]);
  }

  readRebuilding(perspective: string): Promise<readonly RebuildingTables[]> {
    const all = this.#rebuilding(perspective);
    return Promise.resolve(all.map(({ tables, sequence }) => ({ tables, sequence, isAlike: true })));
  }

  removeTables(tables: TablesRef): void {
    this.#tables.delete(asTables(tables).name);
  }

  removePerspective(perspective: string): void {
    for (const { tables } of this.#tables.values()) if (tables.perspective === perspective) this.removeTables(tables);
    this.#defined.delete(perspective);
  }

  async #standingOf(perspective: string, limit: number): Promise<PerspectiveStanding> {
    const { sequence, stopped } = this.#table(perspective);
    let behind = 0;
    let oldest: number | null = null;
    for await (const { timestamp } of this.#log.readAfter(sequence)) {
      oldest ??= timestamp;
      if (++behind >= limit) break;
    }
    return { perspective, sequence, stopped: stopped.size, behind, oldest };
  }

  /** Whether the open rewinds are unchanged since a commit has read them. */
  #areKnown({ lane, known, open }: RewindChanges): boolean {
    const rewinds = this.#rewinds.get(lane);
    const isKnown = (rewind: OpenRewind): boolean =>
      JSON.stringify(rewinds?.get(rewind.streamId)) === JSON.stringify(rewind);
    const isNew = ({ streamId }: OpenRewind): boolean =>
      rewinds?.has(streamId) !== true || known.some((rewind) => rewind.streamId === streamId);
    return known.every(isKnown) && open.every(isNew);
  }

  #note({ lane, known, open }: RewindChanges): void {
    const rewinds = this.#rewinds.get(lane) ?? new Map<Uuid, OpenRewind>();
    for (const { streamId } of known) rewinds.delete(streamId);
    for (const rewind of open) rewinds.set(rewind.streamId, rewind);
    this.#rewinds.set(lane, rewinds);
  }

  #rebuilding(perspective: string): Table[] {
    const isOne = ({ tables }: Table): boolean => tables.perspective === perspective && tables.role === 'rebuilding';
    return [...this.#tables.values()].filter(isOne);
  }

  #tableAt(perspective: TablesRef, from: Progress): Table {
    const table = this.#table(perspective);
    if (isAt(table, from)) return table;
    throw new PerspectiveMovedError(table.tables.perspective, from.sequence, table.sequence);
  }

  #table(perspective: TablesRef): Table {
    const tables = asTables(perspective);
    let table = this.#tables.get(tables.name);
    if (table === undefined) {
      // Tables that replace others start at their revision, so that revisions never decrease.
      table = emptyTable(tables, this.#tables.get(tables.perspective)?.revision ?? 0);
      this.#tables.set(tables.name, table);
    }
    return table;
  }
}

/** A model with what its table knows of it. */
type HeldModel = IndexedModel & StoredModel;

interface Table {
  readonly tables: ModelTables;
  sequence: number;
  revision: number;
  /** Its revision after the last commit that changed a model. */
  changed: number;
  readonly generation: string;
  /** By id, as are snapshots. */
  readonly models: Map<string, HeldModel>;
  /** The same models by owner, so that a list of one owner reads no models of others. */
  readonly owned: Map<string, Map<string, HeldModel>>;
  readonly sources: ModelSources;
  /** In the order of their events. */
  readonly snapshots: Map<string, readonly ModelSnapshot[]>;
  readonly stopped: Map<string, StoppedStream>;
}

function emptyTable(tables: ModelTables, revision: number): Table {
  return {
    tables,
    sequence: -1,
    revision,
    changed: revision,
    generation: randomUUID(),
    models: new Map(),
    owned: new Map(),
    sources: new ModelSources(),
    snapshots: new Map(),
    stopped: new Map(),
  };
}
