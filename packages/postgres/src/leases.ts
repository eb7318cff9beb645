import { hostname } from 'node:os';
import type { Uuid } from '@svc/core';
import type { HeldLease } from '@svc/core/storage';
import { outboxChannel, toAllHosts } from './notifications.js';
import type { Queryable } from './reader.js';

/** How long a host waits after a lease was refused before it asks again. */
const refusedMs = 500;

/** Identifies this process to operators. */
export const self = `${hostname()}:${process.pid}`;

/** How long notifications to the holders of leases are collected into one. */
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
  readonly #listeners: (() => void)[] = [];
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
    const rows = await this.#database.rows('svc-lease', leaseStatement, [lane, this.#holder, this.#leaseMs, self]);
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

  /** Another host has released leases, so ask again without waiting. */
  offered(): void {
    this.#refusedUntil.clear();
    for (const listener of this.#listeners) listener();
  }

  onReleased(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** The leases of lanes that start with a prefix, of all hosts. */
  async read(prefix: string): Promise<HeldLease[]> {
    const rows = await this.#database.rows('svc-leases-held', heldStatement, [prefix]);
    return rows.map((row) => ({
      lane: row['lane']!,
      holder: row['holder']!,
      process: row['process'] ?? null,
      isOwn: row['holder'] === this.#holder,
      expiresInMs: Number(row['expires_in_ms']),
    }));
  }

  /**
   * Notifies the other holders of lanes that start with a prefix that there is work. Uses a separate transaction, at most once per
   * `gatherMs`, because transactions with notifications commit one after another.
   */
  notifyHolders(prefix: string, report: (error: unknown) => void): void {
    if (this.#notifying.has(prefix)) return;
    const notify = (): void => {
      this.#notifying.delete(prefix);
      this.#database.rows('svc-lease-notify', notifyStatement, [prefix, this.#holder]).catch(report);
    };
    this.#notifying.set(prefix, setTimeout(notify, gatherMs).unref());
  }

  /** Releases a lease of this host, so that another host takes over immediately. */
  async release(lane: string): Promise<void> {
    this.#heldUntil.delete(lane);
    await this.#database.rows('svc-lease-release', `${releaseStatement} AND lane = $2 ${afterRelease}`, [
      this.#holder,
      lane,
    ]);
  }

  /** Removes the expired leases of hosts that were killed. */
  async removeExpired(): Promise<void> {
    await this.#database.rows('svc-lease-expired', 'DELETE FROM svc_leases WHERE expires_at < clock_timestamp()');
  }

  /** Releases all leases of this host, so that other hosts take over immediately. */
  async releaseAll(): Promise<void> {
    for (const timer of this.#notifying.values()) clearTimeout(timer);
    this.#heldUntil.clear();
    await this.#database.rows('svc-lease-release-all', releaseStatement + afterRelease, [this.#holder]);
  }
}

const leaseStatement = `
  INSERT INTO svc_leases AS held (lane, holder, expires_at, process)
  VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond', $4)
  ON CONFLICT (lane) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at, process = excluded.process
  WHERE held.holder = excluded.holder OR held.expires_at < clock_timestamp()
  RETURNING lane`;

const heldStatement = `
  SELECT lane, holder, process, ceil(extract(epoch FROM expires_at - clock_timestamp()) * 1000) AS expires_in_ms
  FROM svc_leases WHERE starts_with(lane, $1) AND expires_at > clock_timestamp() ORDER BY lane`;

const releaseStatement = `
  WITH released AS (DELETE FROM svc_leases WHERE holder = $1`;
const afterRelease = ` RETURNING lane)
  SELECT pg_notify('${outboxChannel}', '${toAllHosts}') FROM released`;

/** Does not wait for the disk: a notification may be lost when the server crashes. */
const notifyStatement = `
  SELECT set_config('synchronous_commit', 'off', true), pg_notify('${outboxChannel}', holder::text)
  FROM (SELECT DISTINCT holder FROM svc_leases
    WHERE starts_with(lane, $1) AND holder <> $2 AND expires_at > clock_timestamp()) others`;
