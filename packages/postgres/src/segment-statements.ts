/** The statements for divided tables: `svc_segments` has a row for each segment, and `svc_perspectives.segments` is how many there are. */
import { tableNamesOf, type RecordedTables } from '@svc/core/storage';
import type { ClientBase } from 'pg';

/** The progress of the segments of a row of `svc_perspectives`, with the transactions that order the log; null: the tables are whole. */
export const segmentsExpression = `CASE WHEN segments > 1 THEN (
      SELECT json_agg(json_build_array(part.sequence, part.revision,
        (SELECT transaction_id::text FROM svc_events last WHERE last.sequence = part.sequence)) ORDER BY part.segment)
      FROM svc_segments part WHERE part.name = svc_perspectives.name) END`;

/** Selects the streams at which a segment has stopped, or any of them. */
export const stoppedStatement = `
  SELECT DISTINCT ON (stream_id) * FROM (
    SELECT stream_id, event_id, position, error_name, error_message, attempts FROM svc_perspectives_stopped
    WHERE perspective = $1 AND $2::integer IS NULL
    UNION ALL
    SELECT stream_id, event_id, position, error_name, error_message, attempts FROM svc_segments_stopped
    WHERE name = $1 AND segment = coalesce($2::integer, segment)
  ) stopped ORDER BY stream_id, position`;

/** Divides tables. The segments start at the progress of the tables, with their stopped streams. */
export async function divideTables(client: ClientBase, name: string, count: number): Promise<void> {
  await client.query('UPDATE svc_perspectives SET segments = $2, revision = revision + 1 WHERE name = $1', [
    name,
    count,
  ]);
  await client.query(
    `INSERT INTO svc_segments (name, segment, sequence, revision)
     SELECT name, segment, sequence, revision FROM svc_perspectives, generate_series(0, segments - 1) AS part (segment)
     WHERE name = $1`,
    [name],
  );
  await client.query(
    `WITH moved AS (DELETE FROM svc_perspectives_stopped WHERE perspective = $1 RETURNING *)
     INSERT INTO svc_segments_stopped (name, segment, stream_id, event_id, position, error_name, error_message, attempts)
     SELECT $1, segment, stream_id, event_id, position, error_name, error_message, attempts
     FROM moved, svc_segments part WHERE part.name = $1`,
    [name],
  );
}

/** Whether all segments are at the same place, and stopped at the same events, so that one host can continue all of them as one. */
export async function canUnite(client: ClientBase, name: string, mustStopAlike: boolean): Promise<boolean> {
  const { rows } = await client.query<{ can_unite: boolean }>(
    `SELECT (SELECT count(DISTINCT sequence) FROM svc_segments WHERE name = $1) = 1 AND NOT ($2::boolean AND EXISTS (
       SELECT FROM svc_segments_stopped WHERE name = $1 GROUP BY stream_id, event_id
       HAVING count(*) <> (SELECT count(*) FROM svc_segments WHERE name = $1))) AS can_unite`,
    [name, mustStopAlike],
  );
  return rows[0]!.can_unite;
}

/** Moves the stopped streams of segments to the tables: of each stream the first stop. */
export async function uniteStopped(client: ClientBase, name: string): Promise<void> {
  await client.query(
    `INSERT INTO svc_perspectives_stopped (perspective, stream_id, event_id, position, error_name, error_message, attempts)
     SELECT DISTINCT ON (stream_id) name, stream_id, event_id, position, error_name, error_message, attempts
     FROM svc_segments_stopped WHERE name = $1 ORDER BY stream_id, position, attempts DESC`,
    [name],
  );
}

/** Makes tables whole, at a revision above those of their segments. Hosts that process a segment can no longer commit. */
export async function makeWhole(client: ClientBase, { tables: { name }, ...recorded }: RecordedTables): Promise<void> {
  if (recorded.segments.length === 0) return;
  await client.query('UPDATE svc_perspectives SET segments = 1, sequence = $2, revision = $3 WHERE name = $1', [
    name,
    recorded.sequence,
    recorded.revision + 1,
  ]);
  await client.query('DELETE FROM svc_segments WHERE name = $1', [name]);
}

/** From now on, each commit of a segment gives its models a revision of their own. The caller has locked the table of the models. */
export async function beginCopy(client: ClientBase, perspective: string): Promise<void> {
  const { models } = tableNamesOf(perspective);
  const text = `UPDATE svc_perspectives SET copied = greatest(revision, (SELECT max(revision) FROM ${models})) WHERE name = $1`;
  await client.query(text, [perspective]);
}

export async function endCopy(client: ClientBase, perspective: string): Promise<void> {
  const text = 'UPDATE svc_perspectives SET copied = NULL WHERE name = $1 AND copied IS NOT NULL';
  await client.query(text, [perspective]);
}

/** Whether a migration copies the models of tables. The caller has locked their record. */
export async function isCopied(client: ClientBase, name: string): Promise<boolean> {
  const text = 'SELECT FROM svc_perspectives WHERE name = $1 AND copied IS NOT NULL';
  return (await client.query(text, [name])).rowCount !== 0;
}

/** Waits for commits of segments that are under way, and locks their rows until the transaction ends. */
export async function lockSegments(client: ClientBase, name: string): Promise<void> {
  await client.query('SELECT FROM svc_segments WHERE name = $1 ORDER BY segment FOR UPDATE', [name]);
}
