import type { Uuid } from '@svc/core';
import { outboxChannel, toAllHosts } from './notifications.js';
import type { Queryable } from './reader.js';

/** How long a host waits after a lease was refused before it asks again. */
const refusedMs = 500;

/** How long notifications to the holder of a lease are collected into one. */
export const gatherMs = 20;

/**
 * Leases for work that one host does at a time. The lease of a stopped host expires. Leases only avoid wasted work: the statements
 * themselves ensure that nothing is done twice.
 */
export class Leases {
  readonly #database: Queryable;
  readonly #holder: Uuid;
  readonly #leaseMs: number;
  readonly #heldUntil = new Map<string, number>();
  readonly #refusedUntil = new Map<string, number>();
  readonly #notifying = new Map<string, NodeJS.Timeout>();

  constructor(database: Queryable, holder: Uuid, leaseMs: number) {
    this.#database = database;
    this.#holder = holder;
    this.#leaseMs = leaseMs;
  }

  /** Takes or renews a lease and returns whether this host holds it. Renews it only in the second half of its time. */
  async hold(lane: string): Promise<boolean> {
    const asked = performance.now();
    if ((this.#heldUntil.get(lane) ?? 0) - asked > this.#leaseMs / 2) return true;
    const rows = await this.#database.rows('svc-lease', leaseStatement, [lane, this.#holder, this.#leaseMs]);
    if (rows.length === 0) this.#heldUntil.delete(lane);
    else this.#heldUntil.set(lane, asked + this.#leaseMs);
    return rows.length > 0;
  }

  /** The same for calls after every commit: does not ask again for a moment after a refusal. */
  async holdOften(lane: string): Promise<boolean> {
    if ((this.#refusedUntil.get(lane) ?? 0) > performance.now()) return false;
    const isHeld = await this.hold(lane);
    if (isHeld) this.#refusedUntil.delete(lane);
    else this.#refusedUntil.set(lane, performance.now() + refusedMs);
    return isHeld;
  }

  /** Another host has released its leases, so ask again without waiting. */
  offered(): void {
    this.#refusedUntil.clear();
  }

  /**
   * Notifies the holder of a lease, unless it is this host, that there is work. Uses a separate transaction, at most once per
   * `gatherMs`, because transactions with notifications commit one after another.
   */
  notifyHolder(lane: string, report: (error: unknown) => void): void {
    if (this.#notifying.has(lane) || (this.#heldUntil.get(lane) ?? 0) > performance.now()) return;
    const notify = (): void => {
      this.#notifying.delete(lane);
      this.#database.rows('svc-lease-tell', notifyStatement, [lane, this.#holder]).catch(report);
    };
    this.#notifying.set(lane, setTimeout(notify, gatherMs).unref());
  }

  /** Releases all leases of this host, so that other hosts take over immediately. */
  async release(): Promise<void> {
    for (const timer of this.#notifying.values()) clearTimeout(timer);
    this.#heldUntil.clear();
    await this.#database.rows('svc-lease-release', releaseStatement, [this.#holder]);
  }
}

const leaseStatement = `
  INSERT INTO svc_leases AS held (lane, holder, expires_at)
  VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
  ON CONFLICT (lane) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
  WHERE held.holder = excluded.holder OR held.expires_at < clock_timestamp()
  RETURNING lane`;

const releaseStatement = `
  WITH released AS (UPDATE svc_leases SET expires_at = clock_timestamp() WHERE holder = $1 RETURNING lane)
  SELECT pg_notify('${outboxChannel}', '${toAllHosts}') FROM released`;

/** Does not wait for the disk: a notification may be lost when the server crashes. */
const notifyStatement = `
  SELECT set_config('synchronous_commit', 'off', true), pg_notify('${outboxChannel}', holder::text)
  FROM svc_leases WHERE lane = $1 AND holder <> $2 AND expires_at > clock_timestamp()`;
