import type { RewindChanges } from '@svc/core/storage';
import type { Statements } from './statements.js';

/** Replaces the known rewinds inside a transaction. False: they have changed, and the transaction must not commit. */
export function replaceRewinds(sql: Statements, { lane, known, open }: RewindChanges): boolean {
  const isGone = known.every((rewind) => sql.deleteRewind.run(lane, JSON.stringify(rewind)).changes === 1);
  return (
    isGone && open.every((rewind) => sql.insertRewind.run(lane, rewind.streamId, JSON.stringify(rewind)).changes === 1)
  );
}
