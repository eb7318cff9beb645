import type { Uuid } from '@svc/core';
import type { ReactedEvent, ReactionSegment } from '@svc/core/storage';

/** A row of `svc_reacted_rows`: events of one segment that were processed in one commit. */
export interface ReactedRow {
  readonly id: Uuid;
  readonly segment: number;
  readonly events: readonly Uuid[];
}

interface StoredRow {
  readonly id: Uuid;
  /** How many of its events are needed. */
  needed: number;
}

interface Term {
  readonly term: number;
  /** The stored rows by event. */
  readonly rows: Map<Uuid, StoredRow>;
}

/**
 * The rows of `svc_reacted_rows` that belong to the terms of this host. A row has many events, and is removed when none of them is needed any more. Only
 * this host adds rows in its terms, so it knows without a query whether an event was processed.
 */
export class ReactedRows {
  readonly #terms = new Map<string, Term>();

  /** A term of some segments has begun, with the rows that earlier terms have left. */
  begin(reaction: string, segments: readonly ReactionSegment[], left: readonly ReactedRow[]): void {
    for (const { segment, term } of segments) this.#terms.set(keyOf(reaction, segment), { term, rows: new Map() });
    for (const { segment, id, events } of left) {
      const rows = this.#terms.get(keyOf(reaction, segment))?.rows;
      if (rows !== undefined) addRow(rows, id, events);
    }
  }

  /** Whether an event was not processed before. False: it was, or this host does not know. */
  isNew({ reaction, segment, term, eventId }: ReactedEvent): boolean {
    return this.#rowsOf(reaction, segment, term)?.has(eventId) === false;
  }

  /** A commit has stored a row. */
  add(reaction: string, term: number, { segment, id, events }: ReactedRow): void {
    const rows = this.#rowsOf(reaction, segment, term);
    if (rows !== undefined) addRow(rows, id, events);
  }

  /** Some events are no longer needed. Returns the rows of which no event is needed. */
  passed(reaction: string, segment: number, term: number, events: readonly Uuid[]): Uuid[] {
    const rows = this.#rowsOf(reaction, segment, term);
    const unneeded: Uuid[] = [];
    for (const event of events) {
      const row = rows?.get(event);
      if (row === undefined) continue;
      rows!.delete(event);
      if (--row.needed === 0) unneeded.push(row.id);
    }
    return unneeded;
  }

  #rowsOf(reaction: string, segment: number, term: number): Map<Uuid, StoredRow> | undefined {
    const known = this.#terms.get(keyOf(reaction, segment));
    return known?.term === term ? known.rows : undefined;
  }
}

function addRow(rows: Map<Uuid, StoredRow>, id: Uuid, events: readonly Uuid[]): void {
  const added = events.filter((event) => !rows.has(event));
  const row = { id, needed: added.length };
  for (const event of added) rows.set(event, row);
}

function keyOf(reaction: string, segment: number): string {
  return `${segment} ${reaction}`;
}
