import { hostname } from 'node:os';
import { newId } from '@svc/core';
import type { HeldLease } from '@svc/core/storage';
import type { Connection } from './connection.js';

/** Identifies this process to others on the same machine. */
export const self = `${hostname()}:${process.pid}`;

/**
 * Leases for work that one process does at a time. The lease of a stopped process expires, immediately if it ran on this machine. Leases
 * only avoid wasted work: the statements themselves ensure that nothing is done twice.
 */
export class Leases {
  /** Identifies this process to others. */
  readonly holder = newId();
  readonly #open: () => Promise<Connection>;
  readonly #leaseMs: number;
  readonly #heldUntil = new Map<string, number>();

  constructor(open: () => Promise<Connection>, leaseMs: number) {
    this.#open = open;
    this.#leaseMs = leaseMs;
  }

  /** Takes or renews a lease and returns whether this process holds it. Renews it only in the second half of its time. */
  async hold(lane: string): Promise<boolean> {
    const connection = await this.#open();
    if ((this.#heldUntil.get(lane) ?? 0) - Date.now() > this.#leaseMs / 2) return true;
    // Reads first: a refused process writes nothing, which other processes would notice as a change.
    if (await connection.unlocked(() => this.#isTaken(connection, lane))) {
      this.#heldUntil.delete(lane);
      return false;
    }
    return await connection.derivedTransaction(() => this.#take(connection, lane));
  }

  /** Releases a lease of this process, so that another process takes over immediately. */
  async release(lane: string): Promise<void> {
    if (!this.#heldUntil.delete(lane)) return;
    const connection = await this.#open();
    await connection.derivedTransaction(() => connection.sql.releaseLease.run(this.holder, lane));
  }

  /** The leases of lanes that start with a prefix, of all processes. */
  async read(prefix: string): Promise<HeldLease[]> {
    const connection = await this.#open();
    const rows = await connection.unlocked(() => connection.sql.findLeases.all(prefix, prefix));
    const now = Date.now();
    return rows
      .map((row) => ({
        lane: row['lane'] as string,
        holder: row['holder'] as string,
        process: row['process'] as string,
        isOwn: row['holder'] === this.holder,
        expiresInMs: (row['expires_at'] as number) - now,
      }))
      .filter((lease) => lease.expiresInMs > 0 && (lease.isOwn || !isGone(lease.process)));
  }

  /** Releases all leases of this process, so that other processes take over immediately. */
  async releaseAll(): Promise<void> {
    if (this.#heldUntil.size === 0) return;
    this.#heldUntil.clear();
    const connection = await this.#open();
    await connection.derivedTransaction(() => connection.sql.releaseLeases.run(this.holder));
  }

  #take(connection: Connection, lane: string): boolean {
    if (this.#isTaken(connection, lane)) return false;
    const until = Date.now() + this.#leaseMs;
    connection.sql.takeLease.run(lane, this.holder, self, until);
    this.#heldUntil.set(lane, until);
    return true;
  }

  #isTaken(connection: Connection, lane: string): boolean {
    const row = connection.sql.findLease.get(lane);
    if (row === undefined || row['holder'] === this.holder) return false;
    return (row['expires_at'] as number) > Date.now() && !isGone(row['process'] as string);
  }
}

/** Whether a process of this machine has ended. False for another machine or container, where it is unknown. */
export function isGone(other: string): boolean {
  const end = other.lastIndexOf(':');
  if (other.slice(0, end) !== hostname()) return false;
  try {
    process.kill(Number(other.slice(end + 1)), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
