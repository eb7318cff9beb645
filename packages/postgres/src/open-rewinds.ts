import type { RewindChanges } from '@svc/core/storage';
import type { PoolClient } from 'pg';

/** Replaces the known rewinds inside a transaction. False: they have changed, and the transaction must not commit. */
export async function replaceRewinds(client: PoolClient, { lane, known, open }: RewindChanges): Promise<boolean> {
  return (
    (await changes(client, deleteKnown, lane, known)) === known.length &&
    (await changes(client, insertOpen, lane, open)) === open.length
  );
}

async function changes(client: PoolClient, text: string, lane: string, rewinds: readonly object[]): Promise<number> {
  if (rewinds.length === 0) return 0;
  const values = [lane, JSON.stringify(rewinds.map((rewind) => JSON.stringify(rewind)))];
  return (await client.query({ text, values })).rowCount ?? 0;
}

const deleteKnown = `
  DELETE FROM svc_rewinds USING json_array_elements_text($2::json) AS known (value)
  WHERE lane = $1 AND stream_id = (value::json->>'streamId')::uuid AND rewind::text = value`;

const insertOpen = `
  INSERT INTO svc_rewinds (lane, stream_id, rewind)
  SELECT $1, (value::json->>'streamId')::uuid, value::json FROM json_array_elements_text($2::json) AS open (value)
  ON CONFLICT DO NOTHING`;
