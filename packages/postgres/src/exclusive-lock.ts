import type { ClientBase } from 'pg';

/** How long to wait for the weaker lock, which blocks no reader or writer. */
const sharedLockTimeoutMs = 10_000;

/**
 * Locks tables until the transaction ends: no other session reads or writes them. All callers must pass tables in the same order.
 *
 * Autovacuum gives way to a session that waits for longer than `deadlock_timeout`, usually 1 s. A weaker lock waits for it while others read
 * and write. Only then the exclusive lock waits for readers and writers, at most for `lockTimeoutMs`, and blocks those that follow.
 */
export async function lockExclusively(
  client: ClientBase,
  tables: readonly string[],
  lockTimeoutMs: number,
): Promise<void> {
  const all = tables.join(', ');
  await client.query(
    `SET LOCAL lock_timeout = ${sharedLockTimeoutMs}; LOCK TABLE ${all} IN SHARE UPDATE EXCLUSIVE MODE;
     SET LOCAL lock_timeout = ${lockTimeoutMs}; LOCK TABLE ${all} IN ACCESS EXCLUSIVE MODE`,
  );
}
