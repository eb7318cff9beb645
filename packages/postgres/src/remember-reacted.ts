import type { Uuid } from '@svc/core';
import { MessageSettledError, type CommitOutcome } from '@svc/core/storage';
import type { CommitQuery, ReactedBatch } from './commit-query.js';
import type { Refusal } from './commit-statement.js';
import type { ReactedRows } from './reacted-rows.js';

/** A batch that the database has answered. */
interface AnsweredBatch {
  readonly outcomes: readonly CommitOutcome[];
  readonly refusals: readonly Refusal[];
  readonly query: CommitQuery;
  /** An earlier query that may have committed the records. */
  readonly sent: CommitQuery | undefined;
}

/** Remembers which row of `svc_reacted_rows` has which processed events. */
export function rememberReacted(reactedRows: ReactedRows, answered: AnsweredBatch): void {
  const { outcomes, refusals, query, sent } = answered;
  if (query.reacted === undefined || query.reacted.length === 0) return;
  const refused = new Set(refusals.map(({ record }) => Number(record)));
  const isCommitted = (record: number): boolean => outcomes[record] === null;
  for (const batch of query.reacted) {
    const { reaction, term, segment, id } = batch;
    const add = (row: Uuid, isIn: (record: number) => boolean): void =>
      reactedRows.add(reaction, term, { segment, id: row, events: eventsOf(batch, isIn) });
    const earlier = sent?.reacted?.find((row) => row.reaction === reaction && row.segment === segment);
    if (earlier === undefined) {
      add(id, isCommitted);
      continue;
    }
    add(id, (record) => !refused.has(record));
    // A refused record whose event is processed was committed by the earlier query.
    add(
      earlier.id,
      (record) => refused.has(record) && (isCommitted(record) || outcomes[record] instanceof MessageSettledError),
    );
  }
}

function eventsOf({ records, events }: ReactedBatch, isIn: (record: number) => boolean): Uuid[] {
  return events.filter((_, i) => isIn(records[i]!));
}
