import type { OutboxLane, StoredOutgoing, Uuid } from '@svc/core';
import { outboxChannel, toEverybody } from './notifications.js';
import type { Reader } from './reader.js';
import { eventColumns, toOutgoing, type Row } from './rows.js';

/**
 * The lanes of the outbox. A host delivers a lane as long as it holds its lease, which runs out by itself when the host is gone. A
 * lease saves hosts from doing the same work twice; that nothing is delivered twice is the commit statement's business.
 */
export class OutboxLanes {
  readonly #reader: Reader;
  readonly #holder: Uuid;
  readonly #leaseMs: number;
  readonly #heldUntil = new Map<string, number>();

  constructor(reader: Reader, holder: Uuid, leaseMs: number) {
    this.#reader = reader;
    this.#holder = holder;
    this.#leaseMs = leaseMs;
  }

  /** The oldest messages of a lane; none while another host delivers it, which is told then that there is something to do. */
  async read(lane: OutboxLane, limit: number): Promise<readonly StoredOutgoing[]> {
    if (!(await this.#hold(lane))) {
      await this.#reader.rows('svc-outbox-tell', tellStatement, [lane]);
      return [];
    }
    const rows = await this.#reader.rows('svc-outbox-read', readStatement, [lane, limit]);
    return rows.map((row: Row) => toOutgoing(row, lane));
  }

  /** Whether this host is the one that forgets what has expired. */
  mayForget(): Promise<boolean> {
    return this.#hold('forgetting');
  }

  /** Lets other hosts take over at once. */
  async release(): Promise<void> {
    this.#heldUntil.clear();
    await this.#reader.rows('svc-outbox-release', releaseStatement, [this.#holder]);
  }

  /** Whether this host has the lease: it delivers a lane, or does what one host at a time does. A lease with half of its time left is not renewed. */
  async #hold(lane: string): Promise<boolean> {
    const asked = performance.now();
    if ((this.#heldUntil.get(lane) ?? 0) - asked > this.#leaseMs / 2) return true;
    const rows = await this.#reader.rows('svc-outbox-lease', leaseStatement, [lane, this.#holder, this.#leaseMs]);
    if (rows.length === 0) this.#heldUntil.delete(lane);
    else this.#heldUntil.set(lane, asked + this.#leaseMs);
    return rows.length > 0;
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

const readStatement = `
  SELECT outgoing.id AS outgoing_id, outgoing.destination, outgoing.message, outgoing.note, outgoing.event_id, ${eventColumns}
  FROM svc_outbox outgoing LEFT JOIN svc_events event ON event.id = outgoing.event_id
  WHERE outgoing.lane = $1 ORDER BY outgoing.sequence LIMIT $2`;

/** To the holder of the lease alone: hosts that told each other would never stop. */
const tellStatement = `
  SELECT pg_notify('${outboxChannel}', holder::text) FROM svc_leases
  WHERE lane = $1 AND EXISTS (SELECT FROM svc_outbox WHERE svc_outbox.lane = $1)`;
