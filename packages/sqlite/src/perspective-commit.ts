import {
  indexedColumn,
  PerspectiveMovedError,
  retainedSnapshots,
  tableNamesOf,
  type PerspectiveCommit,
  type RecordedTables,
} from '@svc/core/storage';
import { insertOutgoing } from './outbox.js';
import type { Statement } from './engine.js';
import { Numbers } from './numbers.js';
import { replaceRewinds } from './open-rewinds.js';
import { modelValues, writtenColumns } from './perspective-rows.js';
import type { Statements } from './statements.js';

/** Writes a batch of a perspective inside a transaction. The caller has checked that the perspective has not moved since the batch began. */
export function writeBatch(
  prepare: (text: string) => Statement,
  commit: PerspectiveCommit,
  { tables: { name }, table: { columns }, revision: before }: RecordedTables,
): void {
  const names = tableNamesOf(name);
  const revision = before + 1;
  prepare('UPDATE svc_perspectives SET sequence = ?, revision = ? WHERE name = ?').run(commit.to, revision, name);
  if (commit.models.length > 0) {
    prepare('UPDATE svc_perspectives SET changed = revision WHERE name = ?').run(name);
    const all = [...writtenColumns, ...columns.map(indexedColumn), 'revision'];
    const updates = all.slice(1).map((column) => `${column} = excluded.${column}`);
    const insert = prepare(
      `INSERT INTO ${names.models} (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})
       ON CONFLICT (id) DO UPDATE SET ${updates.join(', ')}`,
    );
    for (const model of commit.models) insert.run(...modelValues(model, columns), revision);
  }
  if (commit.sources.length > 0) {
    const insert = prepare(
      `INSERT INTO ${names.sources} (id, stream_id, block, events, last_event_id) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (id, stream_id, block) DO UPDATE
       SET events = events | excluded.events, last_event_id = max(last_event_id, excluded.last_event_id)`,
    );
    for (const { id, streamId, block, events, lastEventId } of commit.sources) {
      insert.run(id, streamId, block, events, lastEventId);
    }
  }
  writeSnapshots(prepare, commit, names.snapshots);
  for (const streamId of commit.resumed) {
    prepare('DELETE FROM svc_perspectives_stopped WHERE perspective = ? AND stream_id = ?').run(name, streamId);
  }
  for (const { streamId, eventId, position, errorName, errorMessage, attempts } of commit.stopped) {
    prepare(
      `INSERT OR REPLACE INTO svc_perspectives_stopped
       (perspective, stream_id, event_id, position, error_name, error_message, attempts) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ).run(name, streamId, eventId, position, errorName, errorMessage, attempts);
  }
}

function writeSnapshots(
  prepare: (text: string) => Statement,
  { rewound, snapshots }: PerspectiveCommit,
  table: string,
): void {
  for (const { id, afterEventId } of rewound) {
    prepare(`DELETE FROM ${table} WHERE id = ? AND event_id > ?`).run(id, afterEventId ?? '');
  }
  for (const { id, eventId, body, version } of snapshots) {
    prepare(`INSERT OR REPLACE INTO ${table} (id, event_id, body, version) VALUES (?, ?, ?, ?)`).run(
      id,
      eventId,
      body,
      version,
    );
  }
  for (const id of new Set(snapshots.map((snapshot) => snapshot.id))) {
    prepare(
      `DELETE FROM ${table} WHERE id = ? AND event_id < (
         SELECT event_id FROM ${table} WHERE id = ? ORDER BY event_id DESC LIMIT 1 OFFSET ${retainedSnapshots - 1})`,
    ).run(id, id);
  }
}

/** Queues the messages of a batch and stores which rewinds are open, in the same transaction. */
export function writeReports(sql: Statements, { perspective, from, rewinds, outgoing = [] }: PerspectiveCommit): void {
  if (rewinds !== undefined && !replaceRewinds(sql, rewinds)) {
    throw new PerspectiveMovedError(perspective, from.sequence, from.sequence);
  }
  if (outgoing.length > 0) insertOutgoing(sql, new Numbers(sql, []), outgoing);
}
