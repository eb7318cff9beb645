import { scopeText, snapshotsKept, tableNamesOf, type PerspectiveColumn, type PerspectiveCommit } from '@svc/core';
import type { Statement } from './engine.js';
import { quoted } from './perspective-ddl.js';
import { modelColumns, modelValues } from './perspective-rows.js';

/** Keeps a batch of a perspective inside a transaction; `revision` is the one it has from then on. */
export function keepBatch(
  prepare: (text: string) => Statement,
  commit: PerspectiveCommit,
  columns: readonly PerspectiveColumn[],
  revision: number,
): void {
  const { perspective, to } = commit;
  const names = tableNamesOf(perspective);
  prepare('UPDATE svc_perspectives SET sequence = ?, revision = ? WHERE name = ?').run(to, revision, perspective);
  if (commit.models.length > 0) {
    const all = [...modelColumns.split(', '), ...columns.map(quoted), 'revision'];
    const updates = all.slice(1).map((name) => `${name} = excluded.${name}`);
    const keep = prepare(
      `INSERT INTO ${names.models} (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})
       ON CONFLICT (key) DO UPDATE SET ${updates.join(', ')}`,
    );
    for (const model of commit.models) keep.run(...modelValues(model, columns), revision);
  }
  if (commit.sources.length > 0) {
    const keep = prepare(
      `INSERT INTO ${names.sources} (key, stream_id, last_event_id) VALUES (?, ?, ?)
       ON CONFLICT (key, stream_id) DO UPDATE SET last_event_id = excluded.last_event_id
       WHERE last_event_id < excluded.last_event_id`,
    );
    for (const { key, streamId, lastEventId } of commit.sources) keep.run(key, streamId, lastEventId);
  }
  keepSnapshots(prepare, commit, names.snapshots);
  for (const streamId of commit.resumed) {
    prepare('DELETE FROM svc_perspectives_stopped WHERE perspective = ? AND stream_id = ?').run(perspective, streamId);
  }
  for (const { streamId, eventId, position, errorName, errorMessage } of commit.stopped) {
    prepare(
      `INSERT OR REPLACE INTO svc_perspectives_stopped
       (perspective, stream_id, event_id, position, error_name, error_message) VALUES (?, ?, ?, ?, ?, ?)`,
    ).run(perspective, streamId, eventId, position, errorName, errorMessage);
  }
}

function keepSnapshots(
  prepare: (text: string) => Statement,
  { rewound, snapshots }: PerspectiveCommit,
  table: string,
): void {
  for (const { key, afterEventId } of rewound) {
    prepare(`DELETE FROM ${table} WHERE key = ? AND event_id > ?`).run(key, afterEventId ?? '');
  }
  for (const { key, eventId, body, version, scope } of snapshots) {
    prepare(`INSERT OR REPLACE INTO ${table} (key, event_id, body, version, scope) VALUES (?, ?, ?, ?, ?)`).run(
      key,
      eventId,
      body,
      version,
      scope && scopeText(scope),
    );
  }
  for (const key of new Set(snapshots.map((snapshot) => snapshot.key))) {
    prepare(
      `DELETE FROM ${table} WHERE key = ? AND event_id < (
         SELECT event_id FROM ${table} WHERE key = ? ORDER BY event_id DESC LIMIT 1 OFFSET ${snapshotsKept - 1})`,
    ).run(key, key);
  }
}
