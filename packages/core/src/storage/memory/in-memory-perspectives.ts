import type { Uuid } from '../../json/index.js';
import { queryModels } from './in-memory-query.js';
import type { ModelQuery } from '../models/model-query.js';
import { ModelSources, type SourcePage } from '../models/model-sources.js';
import type { OpenRewind, RewindChanges } from '../models/open-rewind.js';
import { PerspectiveMovedError } from '../models/perspective-moved-error.js';
import {
  isAt,
  snapshotsKept,
  type BesideTables,
  type IndexedModel,
  type ModelRecord,
  type ModelSnapshot,
  type PerspectiveCommit,
  type PerspectiveStorage,
  type Progress,
  type StoppedStream,
} from '../models/perspective-storage.js';
import type { OutgoingRecord } from '../outgoing-record.js';
import { compareCodePoints } from '../models/column-values.js';
import type { StoredRecord } from '../event-record.js';
import { keptPerspective, type KeptPerspective } from '../models/kept-perspective.js';
import type { PerspectiveStanding } from '../perspective-standing.js';
import { perspectiveOfName, type PerspectiveTable } from '../models/perspective-table.js';

/** What models in memory need of the storage with the events. */
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
      for (const name of this.#besidesOf(perspective)) this.#tables.delete(name);
    }
  }

  /** One process has one version of each perspective. */
  ownPlace(perspective: string): Promise<string> {
    return Promise.resolve(perspective);
  }

  readPerspectives(): Promise<readonly KeptPerspective[]> {
    const defined = [...this.#defined.values()].toSorted((a, b) => compareCodePoints(a.perspective, b.perspective));
    return Promise.resolve(defined.map((table) => keptPerspective(this.#table(table.perspective).sequence, table)));
  }

  readStandings(perspectives: readonly string[], limit: number): Promise<readonly PerspectiveStanding[]> {
    return Promise.all(perspectives.map((perspective) => this.#standingOf(perspective, limit)));
  }

  readProgress(perspective: string): Promise<Progress> {
    const { sequence, revision } = this.#table(perspective);
    return Promise.resolve({ sequence, revision });
  }

  readModels(perspective: string, ids: readonly string[]): Promise<readonly ModelRecord[]> {
    const { models } = this.#table(perspective);
    return Promise.resolve(ids.map((id) => models.get(id)).filter((model) => model !== undefined));
  }

  findModels(perspective: string, key: string, limit: number): Promise<readonly ModelRecord[]> {
    const found: ModelRecord[] = [];
    for (const model of this.#table(perspective).models.values()) {
      if (model.key === key && model.body !== null && found.push(model) === limit) break;
    }
    return Promise.resolve(found);
  }

  listModels(perspective: string, query: ModelQuery): Promise<readonly ModelRecord[]> {
    const columns = this.#defined.get(perspectiveOfName(perspective))?.columns ?? [];
    const { models, owned } = this.#table(perspective);
    const asked = query.owner === null ? models : (owned.get(query.owner.owner) ?? new Map<string, IndexedModel>());
    return Promise.resolve(queryModels(asked.values(), columns, query));
  }

  readStopped(perspective: string): Promise<readonly StoppedStream[]> {
    return Promise.resolve([...this.#table(perspective).stopped.values()]);
  }

  readRewinds(lane: string): Promise<readonly OpenRewind[]> {
    return Promise.resolve([...(this.#rewinds.get(lane)?.values() ?? [])]);
  }

  readSources(perspective: string, id: string, afterEventId: Uuid | null): Promise<SourcePage> {
    return Promise.resolve({ sources: this.#table(perspective).sources.of(id, afterEventId), next: null });
  }

  readModelIds(perspective: string, streamId: Uuid): Promise<readonly string[]> {
    return Promise.resolve(this.#table(perspective).sources.modelsWith(streamId));
  }

  readSnapshot(perspective: string, id: string, beforeEventId: Uuid): Promise<ModelSnapshot | null> {
    const snapshots = this.#table(perspective).snapshots.get(id) ?? [];
    return Promise.resolve(snapshots.findLast(({ eventId }) => eventId < beforeEventId) ?? null);
  }

  commitPerspective({ perspective, from, to, ...changes }: PerspectiveCommit): void {
    const table = this.#tableAt(perspective, from);
    if (changes.rewinds !== undefined && !this.#areKnown(changes.rewinds)) {
      throw new PerspectiveMovedError(perspective, from.sequence, table.sequence);
    }
    table.sequence = to;
    table.revision++;
    for (const model of changes.models) {
      const before = table.models.get(model.id);
      if (before !== undefined && before.owner !== model.owner) table.owned.get(before.owner)?.delete(model.id);
      table.models.set(model.id, model);
      const owned = table.owned.get(model.owner) ?? new Map<string, IndexedModel>();
      table.owned.set(model.owner, owned.set(model.id, model));
    }
    for (const source of changes.sources) table.sources.add(source);
    for (const { id, afterEventId } of changes.rewound) {
      const kept = table.snapshots.get(id)?.filter(({ eventId }) => afterEventId !== null && eventId <= afterEventId);
      if (kept !== undefined) table.snapshots.set(id, kept);
    }
    for (const snapshot of changes.snapshots) {
      const all = [...(table.snapshots.get(snapshot.id) ?? []), snapshot];
      all.sort((a, b) => (a.eventId < b.eventId ? -1 : 1));
      table.snapshots.set(snapshot.id, all.slice(-snapshotsKept));
    }
    for (const streamId of changes.resumed) table.stopped.delete(streamId);
    for (const stream of changes.stopped) table.stopped.set(stream.streamId, stream);
    if (changes.rewinds !== undefined) this.#note(changes.rewinds);
    if (changes.outgoing !== undefined && changes.outgoing.length > 0) this.#log.queue(changes.outgoing);
  }

  replacePerspective(perspective: string, by: string, from: Progress, byFrom: Progress): void {
    const replaced = this.#tableAt(perspective, from);
    const beside = this.#tableAt(by, byFrom);
    // Above that of any of its models, as after a commit.
    const revision = Math.max(replaced.revision, beside.revision) + 1;
    this.#tables.set(perspective, { ...beside, revision });
    this.#tables.delete(by);
  }

  clearPerspective(perspective: string): void {
    this.#tables.set(perspective, emptyTable(this.#table(perspective).revision + 1));
  }

  readBesides(perspective: string): Promise<readonly BesideTables[]> {
    const besides = this.#besidesOf(perspective);
    return Promise.resolve(besides.map((name) => ({ name, sequence: this.#table(name).sequence, isAlike: true })));
  }

  removePerspective(perspective: string): void {
    this.#tables.delete(perspective);
  }

  async #standingOf(perspective: string, limit: number): Promise<PerspectiveStanding> {
    const { sequence, stopped } = this.#table(perspective);
    let behind = 0;
    let oldest: number | null = null;
    for await (const { timestamp } of this.#log.readAfter(sequence)) {
      oldest ??= timestamp;
      if (++behind >= limit) break;
    }
    return { perspective, stopped: stopped.size, behind, oldest };
  }

  /** Whether rewinds are still what a commit has read. */
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

  #besidesOf(perspective: string): string[] {
    return [...this.#tables.keys()].filter((name) => name !== perspective && perspectiveOfName(name) === perspective);
  }

  #tableAt(perspective: string, from: Progress): Table {
    const table = this.#table(perspective);
    if (!isAt(table, from)) throw new PerspectiveMovedError(perspective, from.sequence, table.sequence);
    return table;
  }

  #table(perspective: string): Table {
    let table = this.#tables.get(perspective);
    if (table === undefined) {
      // Tables beside others begin at their revision, so that revisions never go back when they take their place.
      table = emptyTable(this.#tables.get(perspectiveOfName(perspective))?.revision ?? 0);
      this.#tables.set(perspective, table);
    }
    return table;
  }
}

interface Table {
  sequence: number;
  revision: number;
  /** By id, as are snapshots. */
  readonly models: Map<string, IndexedModel>;
  /** The same models by owner: the list of one costs nothing for those of others. */
  readonly owned: Map<string, Map<string, IndexedModel>>;
  readonly sources: ModelSources;
  /** In the order of their events. */
  readonly snapshots: Map<string, readonly ModelSnapshot[]>;
  readonly stopped: Map<string, StoppedStream>;
}

function emptyTable(revision: number): Table {
  return {
    sequence: -1,
    revision,
    models: new Map(),
    owned: new Map(),
    sources: new ModelSources(),
    snapshots: new Map(),
    stopped: new Map(),
  };
}
