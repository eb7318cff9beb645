import { newId, type Uuid } from '@svc/core';
import {
  auditDestination,
  isReceived,
  latestIdIn,
  plainMessage,
  renewedIn,
  storedForm,
  tenantOfCommand,
  tenantOfEvent,
  type CommitRecord,
  type IdempotencyRecord,
  type OutgoingRecord,
  type PendingRecord,
  type ReactedEvent,
  type ScheduleChanges,
} from '@svc/core/storage';
import type { RareList } from './commit-part.js';
import { commitEvent, commitGuardedEvent, commitStatements, guardedCommitStatements } from './commit-statement.js';
import { jsonTexts } from './json-texts.js';
import { stepsPart } from './postgres-processes.js';
import { carefulReactedPart, reactedPart } from './reacted-part.js';
import type { ReactedRow } from './reacted-rows.js';
import { resultsPart } from './results-part.js';
import { schedulesPart } from './schedule-changes.js';

/** The parts for what most records do not have. */
const commonParts = [resultsPart, schedulesPart, stepsPart];
const commitParts = [...commonParts, reactedPart];
const carefulParts = [...commonParts, carefulReactedPart];

/** The statement that commits a batch of records, with its parameters. */
export interface CommitQuery {
  readonly name: string;
  readonly text: string;
  readonly values: (string | number | null)[];
  /** The rows of processed events that it inserts. */
  readonly reacted?: readonly ReactedBatch[];
}

/** The events of a batch that a reaction has processed in one segment, and their records in the batch. */
export interface ReactedBatch extends ReactedRow {
  readonly reaction: string;
  readonly term: number;
  readonly records: number[];
  readonly events: Uuid[];
}

/** The query for a record of one event and nothing else; null for all others. */
export function singleEventQuery(records: readonly CommitRecord[]): CommitQuery | null {
  const [record] = records;
  if (record === undefined || records.length > 1) return null;
  const { events, outgoing, delivered, received, idempotency, deadLetters, resolved, schedules, reacted } = record;
  if (idempotency !== undefined || deadLetters !== undefined || resolved !== undefined) return null;
  if (schedules !== undefined || reacted !== undefined || record.step !== undefined) return null;
  const [event] = events;
  if (event === undefined || events.length + outgoing.length + received.length > 1 || delivered !== null) return null;
  const { body, scope, metadata } = storedForm(event);
  const values = [
    event.id,
    event.streamId,
    event.expectedPosition ?? null,
    event.type,
    body,
    event.timestamp,
    event.correlationId,
    event.causationId,
    scope,
    metadata,
  ];
  return event.sameTenant === true
    ? { name: 'svc-commit-guarded-event', text: commitGuardedEvent, values: [...values, tenantOfEvent(event)] }
    : { name: 'svc-commit-event', text: commitEvent, values };
}

/** The query for any batch. A careful one finds events that their reaction has processed; other ones fail. */
export function commitQuery(records: readonly CommitRecord[], isCareful = false): CommitQuery {
  const rows: Rows = {
    events: [],
    bodies: [],
    outgoing: [],
    messages: [],
    delivered: [],
    received: [],
    keys: [],
    deadLetters: [],
    resolved: [],
    renewed: [],
    settled: [],
    cancelled: [],
    scheduled: [],
    reacted: [],
    steps: [],
    isGuarded: false,
  };
  for (const [number, record] of records.entries()) {
    const notes = record.outgoing.length === 0 ? noNotes : auditNotesOf(record);
    addEvents(rows, number, record.events, notes);
    addOutgoing(rows, number, record, notes);
    for (const id of record.delivered?.ids ?? []) rows.delivered.push({ record: number, id });
    for (const id of record.received) rows.received.push({ record: number, id });
    addRareParts(rows, number, record);
  }
  const { events, outgoing, delivered, received, isGuarded } = rows;
  const statements = isGuarded ? guardedCommitStatements : commitStatements;
  const parts = (isCareful ? carefulParts : commitParts).filter(({ lists }) =>
    lists.some((list) => rows[list].length > 0),
  );
  const hasMessages = outgoing.length > 0 || delivered.length > 0 || received.length > 0;
  const ofEvents = [JSON.stringify(events), jsonTexts(rows.bodies)];
  const ofMessages = [
    JSON.stringify(outgoing),
    jsonTexts(rows.messages),
    JSON.stringify(delivered),
    JSON.stringify(received),
  ];
  const rare = parts.flatMap((part) => part.lists.map((list) => JSON.stringify(rows[list])));
  const kind = [
    ...(isGuarded ? ['guarded'] : []),
    hasMessages ? 'messages' : 'events',
    ...parts.map(({ name }) => name),
  ];
  return {
    name: `svc-commit-${kind.join('-')}`,
    text: (hasMessages ? statements.ofMessages : statements.ofEvents)(parts),
    values: [...ofEvents, ...(hasMessages ? ofMessages : []), ...rare],
    reacted: rows.reacted,
  };
}

type UsualList = 'events' | 'outgoing' | 'delivered' | 'received';
type Rows = Record<UsualList | RareList, object[]> & {
  /** The bodies of the events. */
  bodies: string[];
  /** The outgoing messages; null: the event of a row is the message, or its note says everything. */
  messages: (string | null)[];
  reacted: ReactedBatch[];
  isGuarded: boolean;
};

/** Adds what most records do not have. */
function addRareParts(rows: Rows, record: number, committed: CommitRecord): void {
  const { idempotency, deadLetters, resolved, reacted } = committed;
  if (idempotency !== undefined) rows.keys.push(keyRow(record, idempotency, committed.events.at(-1)?.id));
  for (const letter of deadLetters ?? []) {
    const { id, direction, cause, message } = letter;
    rows.deadLetters.push({ record, id, direction, cause, message_id: message.id, letter: JSON.stringify(letter) });
  }
  if (resolved !== undefined) rows.resolved.push({ record, id: resolved });
  for (const id of renewedIn(committed)) rows.renewed.push({ record, id });
  if (committed.schedules !== undefined) addSchedules(rows, record, committed, committed.schedules);
  if (reacted !== undefined) addReacted(rows.reacted, record, reacted);
  if (committed.step !== undefined) {
    const { streamId, process, tenant, key, at, isIgnored, completes } = committed.step;
    rows.steps.push({ record, stream_id: streamId, process, tenant, key, at, ignored: Number(isIgnored), completes });
  }
}

/** Segments are few, so a search is faster than a map. */
function addReacted(rows: ReactedBatch[], record: number, { reaction, segment, term, eventId }: ReactedEvent): void {
  let row = rows.find((one) => one.segment === segment && one.term === term && one.reaction === reaction);
  if (row === undefined) rows.push((row = { reaction, segment, term, id: newId(), records: [], events: [] }));
  row.records.push(record);
  row.events.push(eventId);
}

function addSchedules(
  rows: Rows,
  record: number,
  { events }: CommitRecord,
  { settled, cancelled, added }: ScheduleChanges,
): void {
  if (settled !== null) {
    rows.settled.push({ record, id: settled });
    // A commit that scheduled it and is retried must not schedule it again.
    rows.renewed.push({ record, id: settled });
  }
  for (const { tenant, key } of cancelled) rows.cancelled.push({ record, tenant, key });
  for (const { message, due, key } of added) {
    rows.scheduled.push({
      record,
      id: message.id,
      tenant: tenantOfCommand(message),
      key,
      type: message.type,
      message: JSON.stringify(plainMessage(message)),
      ...('at' in due ? { at: due.at } : { after_ms: due.afterMs }),
      alone: events.length === 0,
    });
  }
}

function keyRow(
  record: number,
  { id, requestHash, messageId, result }: IdempotencyRecord,
  lastEventId: Uuid | undefined,
): object {
  return { record, id, request_hash: requestHash, message_id: messageId, result, last_event_id: lastEventId };
}

/** The audit notes in the rows of their events, by event id. */
type AuditNotes = ReadonlyMap<Uuid, OutgoingRecord>;

const noNotes: AuditNotes = new Map();

/**
 * The audit note of an event is in the row of the event: a service with audit has one for each event. Notes that follow another message of
 * their lane, or that are not in the order of the events, remain messages, so that the order of the lane is preserved.
 */
function auditNotesOf({ events, outgoing }: CommitRecord): AuditNotes {
  const notes = new Map<Uuid, OutgoingRecord>();
  let next = 0;
  for (const one of outgoing) {
    if (one.lane !== 'system') continue;
    if (one.destination !== auditDestination || one.message !== null || one.note === null) break;
    while (next < events.length && events[next]!.id !== one.eventId) next++;
    if (next === events.length) break;
    notes.set(events[next++]!.id, one);
  }
  return notes;
}

/** Leaves out values that are null or the default: each value costs time. */
function addEvents(rows: Rows, record: number, events: readonly PendingRecord[], notes: AuditNotes): void {
  const counts = events.length === 1 ? null : new Map<Uuid, number>();
  for (const event of events) {
    const offset = counts?.get(event.streamId) ?? 0;
    counts?.set(event.streamId, offset + 1);
    const note = notes.get(event.id);
    if (event.sameTenant === true) rows.isGuarded = true;
    const { body, scope, metadata } = storedForm(event);
    rows.bodies.push(body);
    rows.events.push({
      record,
      ordinal: rows.events.length,
      id: event.id,
      stream_id: event.streamId,
      stream_offset: offset === 0 ? undefined : offset,
      // The position that the stream must have before the record.
      required: event.expectedPosition === undefined ? undefined : event.expectedPosition - offset,
      type: event.type,
      timestamp: event.timestamp,
      correlation_id: event.correlationId,
      causation_id: event.causationId ?? undefined,
      scope: scope ?? undefined,
      metadata: metadata === '{}' ? undefined : metadata,
      audit_id: note?.id,
      audit_note: note?.note,
      received_latest: isReceived(event) ? latestIdIn(event) : undefined,
      tenant: event.sameTenant === true ? tenantOfEvent(event) : undefined,
    });
  }
}

function addOutgoing(rows: Rows, record: number, { events, outgoing }: CommitRecord, notes: AuditNotes): void {
  const alone = events.length === 0;
  for (const one of outgoing) {
    const { id, lane, destination, message, note, eventId } = one;
    if (eventId !== null && notes.get(eventId) === one) continue;
    rows.messages.push(message && JSON.stringify(plainMessage(message)));
    rows.outgoing.push({
      record,
      ordinal: rows.outgoing.length,
      id,
      lane,
      destination,
      note,
      event_id: eventId,
      alone,
    });
  }
}
