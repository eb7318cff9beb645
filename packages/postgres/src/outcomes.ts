import { ConcurrencyConflictError, type Uuid } from '@svc/core';
import {
  DuplicateEventError,
  ForeignStreamError,
  IdempotencyKeyInUseError,
  LateEventError,
  MessageSettledError,
  ReactionTakenOverError,
  type CommitOutcome,
  type CommitRecord,
} from '@svc/core/storage';
import type { Refusal } from './commit-statement.js';

/** Another transaction has removed, and perhaps replaced, a command that the record cancels. The record can be committed again. */
export class RacedRecordError extends Error {}

/** The outcome of each record, from the refusals of the commit statement. */
export function outcomesOf(records: readonly CommitRecord[], refusals: readonly Refusal[]): readonly CommitOutcome[] {
  if (refusals.length === 0) return records.map(() => null);
  const byRecord = grouped(refusals);
  return records.map((record, number) => outcomeOf(record, byRecord.get(number) ?? []));
}

function grouped(refusals: readonly Refusal[]): Map<number, Refusal[]> {
  const groups = new Map<number, Refusal[]>();
  for (const refusal of refusals) {
    const group = groups.get(Number(refusal.record));
    if (group === undefined) groups.set(Number(refusal.record), [refusal]);
    else group.push(refusal);
  }
  return groups;
}

function outcomeOf(record: CommitRecord, refusals: readonly Refusal[]): CommitOutcome {
  if (refusals.length === 0) return null;
  const taken = refusals.find(({ reason }) => reason === 'known key');
  // With the same message, the record was committed before. With another one, the key is in use, whatever the other refusals.
  if (taken !== undefined) return taken.id === record.idempotency?.messageId ? null : new IdempotencyKeyInUseError();
  const known = refusals.filter(({ reason }) => reason === 'known event');
  // If all its events are stored, or the messages of a record without events, it was committed before.
  if (known.length > 0 && known.length === record.events.length && known.every(isSame)) return null;
  if (refusals.some(({ reason }) => reason === 'known message')) return null;
  const lasting =
    foreignOf(refusals) ??
    settledOf(refusals) ??
    takenOverOf(refusals) ??
    duplicateOf(known) ??
    conflictOf(record, refusals);
  return lasting ?? lateOf(refusals) ?? racedOf(refusals);
}

const isSame = ({ detail }: Refusal): boolean => detail === '1';

function duplicateOf([first]: readonly Refusal[]): CommitOutcome {
  return first === undefined ? null : new DuplicateEventError(first.id as Uuid);
}

/** The first event whose expectation fails, given where the streams are. */
function conflictOf({ events }: CommitRecord, refusals: readonly Refusal[]): CommitOutcome {
  const reached = new Map<Uuid, number>();
  for (const { reason, id, detail } of refusals) if (reason === 'position') reached.set(id as Uuid, Number(detail));
  for (const { streamId, expectedPosition } of events) {
    const position = reached.get(streamId);
    if (position === undefined) continue;
    if (expectedPosition !== undefined && expectedPosition !== position) {
      return new ConcurrencyConflictError(streamId, expectedPosition, position);
    }
    reached.set(streamId, position + 1);
  }
  return null;
}

/** Comes before other refusals: the caller must learn nothing about another tenant's stream. */
function foreignOf(refusals: readonly Refusal[]): CommitOutcome {
  const foreign = refusals.find(({ reason }) => reason === 'tenant');
  return foreign === undefined ? null : new ForeignStreamError(foreign.id as Uuid);
}

function lateOf(refusals: readonly Refusal[]): CommitOutcome {
  const late = refusals.filter(({ reason }) => reason === 'late');
  if (late.length === 0) return null;
  return new LateEventError(new Map(late.map(({ id, detail }) => [id as Uuid, detail as Uuid])));
}

function settledOf(refusals: readonly Refusal[]): CommitOutcome {
  const settled = refusals.find(({ reason }) => reason === 'settled');
  return settled === undefined ? null : new MessageSettledError(settled.id as Uuid);
}

function takenOverOf(refusals: readonly Refusal[]): CommitOutcome {
  const takenOver = refusals.find(({ reason }) => reason === 'term');
  return takenOver === undefined ? null : new ReactionTakenOverError(takenOver.detail);
}

function racedOf(refusals: readonly Refusal[]): CommitOutcome {
  return refusals.some(({ reason }) => reason === 'raced') ? new RacedRecordError() : null;
}
