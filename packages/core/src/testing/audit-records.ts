/** Audit records for the contract of storages, and how its cases read them. */
import assert from 'node:assert/strict';
import type { Uuid } from '../json/index.js';
import { newId, SystemEventStream } from '../messages/index.js';
import type { AuditRange, AuditSource, OutgoingRecord, PendingRecord, Storage } from '../storage/index.js';
import { systemEventRecord } from '../system-events/index.js';
import { commitRecord, pendingRecord, type EventFields } from './records.js';
import { auditOf } from './storage-audit-cases.js';
import { outgoingRecord } from './storage-outbox-cases.js';

const system = SystemEventStream.streamId;

/** Commits events with their audit records, and system events, and delivers them to the system stream. */
export async function append(
  storage: Storage,
  events: readonly PendingRecord[],
  others: readonly EventFields[] = [],
): Promise<void> {
  const outgoing: OutgoingRecord[] = [
    ...events.map((event) => auditOf(event)),
    ...others.map((fields) => outgoingRecord({ message: messageOf(fields) })),
  ];
  await storage.commit(commitRecord({ events, outgoing }));
  const waiting = await storage.readOutgoing('system', 1_000);
  const delivered = { lane: 'system', ids: waiting.map(({ id }) => id) } as const;
  await storage.commit(commitRecord({ events: waiting.map(systemEventRecord), delivered }));
}

function messageOf(fields: EventFields): OutgoingRecord['message'] {
  const { id, type, body, timestamp, correlationId, causationId, scope, metadata } = pendingRecord(system, fields);
  return { id, type, body, timestamp, correlationId, causationId, scope, metadata };
}

export function commandAudited(type: string, fields: EventFields): EventFields {
  const body = JSON.stringify({ id: newId(), commandType: type, commandBody: { commandType: 'odd.Name' } });
  return { type: 'svc.CommandAudited', body, ...fields };
}

export function access(type: string, resourceId: string, fields: EventFields = {}): EventFields {
  const body = JSON.stringify({ id: newId(), resourceType: '"resourceId":"\u0000', resourceId, scope: {} });
  return { type: `svc.${type}`, body, ...fields };
}

interface Reading extends Partial<Omit<AuditRange, 'source'>> {
  readonly limit?: number;
}

/** What the records of all pages are about: the event of an audit record, or the type of another one. */
export async function read(storage: Storage, source: AuditSource, reading: Reading = {}): Promise<string[]> {
  const { limit = 2, after = null, newestFirst = false, from = null, to = null } = reading;
  const found: string[] = [];
  for (let place = after; ;) {
    const { records: page, isLast } = await storage.audit!.readPage(
      { source, newestFirst, from, to, after: place },
      limit,
    );
    assert.ok(page.length <= limit);
    for (const { record } of page) if (record !== null) found.push(aboutOf(record.type, record.body, record.streamId));
    if (isLast) return found;
    // Only a last page may be empty.
    place = page.at(-1)!.place;
  }
}

function aboutOf(type: string, body: string, streamId: Uuid): string {
  assert.equal(streamId, system);
  if (type !== 'svc.EventAudited') return type;
  return (JSON.parse(body) as { originalEventType: string }).originalEventType;
}

export function at(timestamp: number, type: string, fields: EventFields = {}): PendingRecord {
  return pendingRecord(newId(), { timestamp, type, ...fields });
}
