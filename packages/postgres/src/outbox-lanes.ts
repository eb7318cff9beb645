import type { Uuid } from '@svc/core';
import { contentColumn, toOutgoing, type OutboxLane, type StoredOutgoing } from '@svc/core/storage';
import { joinOriginal, originalOr } from './audit-references.js';
import { bodiesStatement, unlessLarge, withLargeBodies, type BodyReaders, type LargeBodies } from './large-bodies.js';
import type { Leases } from './leases.js';
import { outboxChannel } from './notifications.js';
import { mayRaceAgain, pauseAfterRace } from './races.js';
import type { Reader } from './reader.js';
import { eventColumns, toRecord } from './rows.js';

const none: ReadonlyMap<string, number> = new Map();

/**
 * The lanes of the outbox. A host delivers a lane while it holds its lease. A lease only avoids wasted work: the statements ensure that
 * nothing is delivered twice.
 */
export class OutboxLanes {
  readonly #bodies: BodyReaders;
  readonly #reader: Reader;
  readonly #leases: Leases;

  constructor(bodies: BodyReaders, leases: Leases) {
    this.#bodies = bodies;
    this.#reader = bodies.reader;
    this.#leases = leases;
  }

  /** The oldest messages of a lane, or those after a message; none while another host delivers the lane. */
  async read(lane: OutboxLane, limit: number, after?: Uuid): Promise<readonly StoredOutgoing[]> {
    if (!(await this.#delivers(lane))) return [];
    for (;;) {
      const rows =
        after === undefined
          ? await this.#reader.rows('svc-outbox-read', readStatement(''), [lane, limit])
          : await this.#reader.rows('svc-outbox-read-on', readStatement(behind), [lane, limit, after]);
      const page = await withLargeBodies(this.#bodies, rows, largeContents);
      // If the first body is missing, another host has delivered its message.
      if (page.length > 0 || rows.length === 0) return page.map((row) => toOutgoing(row, lane, toRecord));
    }
  }

  /** Appends the oldest messages of the lane `system` to its stream; none while another host does so. */
  async deliverSystemEvents(limit: number): Promise<ReadonlyMap<string, number>> {
    if (!(await this.#delivers('system'))) return none;
    for (let races = 1; ; races++) {
      try {
        const rows = await this.#reader.rows('svc-deliver-system', deliverStatement, [limit]);
        return new Map(rows.map((row) => [row['type']!, Number(row['delivered'])]));
      } catch (error) {
        if (!mayRaceAgain(error, races, true)) throw error;
        await pauseAfterRace(races);
      }
    }
  }

  /** Whether this host delivers a lane. Notifies the host that does, if there are messages. */
  async #delivers(lane: OutboxLane): Promise<boolean> {
    if (await this.#leases.hold(lane)) return true;
    await this.#reader.rows('svc-outbox-tell', notifyStatement, [lane]);
    return false;
  }
}

/** With the rights of the owner: see `roles/roles-schema.ts`. Must be the first statement of its transaction. */
const deliverStatement = 'SELECT type, delivered FROM svc_deliver_system_events($1)';

const readStatement = (condition: string): string => `
  SELECT outgoing.id AS outgoing_id, outgoing.destination, outgoing.note, outgoing.event_id, ${eventColumns},
    CASE WHEN outgoing.event_id IS NULL THEN ${unlessLarge('outgoing.message')} ELSE outgoing.message END AS message
  FROM svc_outbox outgoing LEFT JOIN svc_events event ON event.id = outgoing.event_id ${joinOriginal}
  WHERE outgoing.lane = $1${condition} ORDER BY outgoing.sequence LIMIT $2`;

const behind = ' AND outgoing.sequence > (SELECT sequence FROM svc_outbox WHERE id = $3)';

const largeContents: LargeBodies = {
  name: 'svc-outbox-large',
  statement: bodiesStatement(
    `coalesce(${originalOr('body')}, outgoing.message)`,
    `JOIN svc_outbox outgoing USING (id) LEFT JOIN svc_events event ON event.id = outgoing.event_id ${joinOriginal}`,
  ),
  columnOf: contentColumn,
  idOf: ({ outgoing_id }) => outgoing_id!,
};

/** Notifies only the holder of the lease: hosts that notified each other would never stop. */
const notifyStatement = `
  SELECT pg_notify('${outboxChannel}', holder::text) FROM svc_leases
  WHERE lane = $1 AND EXISTS (SELECT FROM svc_outbox WHERE svc_outbox.lane = $1)`;
