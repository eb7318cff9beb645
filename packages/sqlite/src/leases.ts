import { hostname } from 'node:os';
import { newId } from '@svc/core';
import type { Connection } from './connection.js';

/** Who this process is, to others on the same machine. */
const self = `${hostname()}:${process.pid}`;

/**
 * What one process at a time does. A lease runs out by itself, and at once when its process is gone from this machine. It saves processes
 * from doing the same work in vain; that nothing is done twice is up to those who do it.
 */
export class Leases {
  readonly #open: () => Promise<Connection>;
  readonly #leaseMs: number;
  readonly #holder = newId();
  readonly #heldUntil = new Map<string, number>();

  constructor(open: () => Promise<Connection>, leaseMs: number) {
    this.#open = open;
    this.#leaseMs = leaseMs;
  }

  /** Whether this process has the lease. One with half of its time left is not renewed. */
  async hold(lane: string): Promise<boolean> {
    const connection = await this.#open();
    if ((this.#heldUntil.get(lane) ?? 0) - Date.now() > this.#leaseMs / 2) return true;
    // Asked by reading alone: whoever is refused writes nothing, which others would have to look at.
    if (await connection.unlocked(() => this.#isTaken(connection, lane))) {
      this.#heldUntil.delete(lane);
      return false;
    }
    return await connection.derivedTransaction(() => this.#take(connection, lane));
  }

  /** Lets other processes take over at once. */
  async release(): Promise<void> {
    if (this.#heldUntil.size === 0) return;
    this.#heldUntil.clear();
    const connection = await this.#open();
    await connection.derivedTransaction(() => connection.sql.releaseLeases.run(this.#holder));
  }

  #take(connection: Connection, lane: string): boolean {
    if (this.#isTaken(connection, lane)) return false;
    const until = Date.now() + this.#leaseMs;
    connection.sql.takeLease.run(lane, this.#holder, self, until);
    this.#heldUntil.set(lane, until);
    return true;
  }

  #isTaken(connection: Connection, lane: string): boolean {
    const row = connection.sql.findLease.get(lane);
    if (row === undefined || row['holder'] === this.#holder) return false;
    return (row['expires_at'] as number) > Date.now() && !isGone(row['process'] as string);
  }
}

/** Whether a process of this machine has ended. Of another machine, or another container, nobody can tell. */
function isGone(other: string): boolean {
  const end = other.lastIndexOf(':');
  if (other.slice(0, end) !== hostname()) return false;
  try {
    process.kill(Number(other.slice(end + 1)), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
