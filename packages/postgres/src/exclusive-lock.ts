import type { ClientBase } from 'pg';

/** How long tables may be in the hands of somebody who keeps no reader out. */
const besideReadersMs = 10_000;

/**
 * Nobody else reads or writes the tables until the transaction ends. Everybody takes them in the order given.
 *
 * A vacuum that the server has begun by itself ends when somebody waits for it for longer than `deadlock_timeout`, a second as a rule. So it is
 * waited for beside those who read and write; only then, and for `lockTimeoutMs` at most, is waited for them, and they behind it.
 */
export async function lockExclusively(
  client: ClientBase,
  tables: readonly string[],
  lockTimeoutMs: number,
): Promise<void> {
  const all = tables.join(', ');
  await client.query(
    `SET LOCAL lock_timeout = ${besideReadersMs}; LOCK TABLE ${all} IN SHARE UPDATE EXCLUSIVE MODE;
     SET LOCAL lock_timeout = ${lockTimeoutMs}; LOCK TABLE ${all} IN ACCESS EXCLUSIVE MODE`,
  );
}
