import type { Uuid } from '@svc/core';
import { outboxChannel, toEverybody } from './notifications.js';
import type { Reader } from './reader.js';

/** How long somebody who was refused a lease does not ask again. */
const refusedMs = 500;

/** How long those who have something to tell to the holder of a lease wait for others who have. */
export const gatherMs = 20;

/**
 * What one host at a time does. A lease runs out by itself when its host is gone. It saves hosts from doing the same work in vain; that
 * nothing is done twice is up to those who do it.
 */
export class Leases {
  readonly #reader: Reader;
  readonly #holder: Uuid;
  readonly #leaseMs: number;
  readonly #heldUntil = new Map<string, number>();
  readonly #refusedUntil = new Map<string, number>();
  readonly #telling = new Map<string, NodeJS.Timeout>();

  constructor(reader: Reader, holder: Uuid, leaseMs: number) {
    this.#reader = reader;
    this.#holder = holder;
    this.#leaseMs = leaseMs;
  }

  /** Whether this host has the lease. One with half of its time left is not renewed. */
  async hold(lane: string): Promise<boolean> {
    const asked = performance.now();
    if ((this.#heldUntil.get(lane) ?? 0) - asked > this.#leaseMs / 2) return true;
    const rows = await this.#reader.rows('svc-lease', leaseStatement, [lane, this.#holder, this.#leaseMs]);
    if (rows.length === 0) this.#heldUntil.delete(lane);
    else this.#heldUntil.set(lane, asked + this.#leaseMs);
    return rows.length > 0;
  }

  /** The same for what is asked whenever something is kept: who was refused does not ask again for a moment. */
  async holdOften(lane: string): Promise<boolean> {
    if ((this.#refusedUntil.get(lane) ?? 0) > performance.now()) return false;
    const isHeld = await this.hold(lane);
    if (isHeld) this.#refusedUntil.delete(lane);
    else this.#refusedUntil.set(lane, performance.now() + refusedMs);
    return isHeld;
  }

  /** Somebody has given leases back: it is worth asking again. */
  offered(): void {
    this.#refusedUntil.clear();
  }

  /**
   * Tells whoever holds a lease that there is something to do; nobody when it is this host. In a transaction of its own, a few
   * times a second at most, and not in that which has something to tell: notifying transactions commit one after another.
   */
  tellHolder(lane: string, report: (error: unknown) => void): void {
    if (this.#telling.has(lane) || (this.#heldUntil.get(lane) ?? 0) > performance.now()) return;
    const tell = (): void => {
      this.#telling.delete(lane);
      this.#reader.rows('svc-lease-tell', tellStatement, [lane, this.#holder]).catch(report);
    };
    this.#telling.set(lane, setTimeout(tell, gatherMs).unref());
  }

  /** Lets other hosts take over at once. */
  async release(): Promise<void> {
    for (const timer of this.#telling.values()) clearTimeout(timer);
    this.#heldUntil.clear();
    await this.#reader.rows('svc-lease-release', releaseStatement, [this.#holder]);
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
  SELECT pg_notify('${outboxChannel}', '${toEverybody}') FROM released`;

/** What it tells may get lost with the server: nobody waits for the disk. */
const tellStatement = `
  SELECT set_config('synchronous_commit', 'off', true), pg_notify('${outboxChannel}', holder::text)
  FROM svc_leases WHERE lane = $1 AND holder <> $2 AND expires_at > clock_timestamp()`;
