import { AuditReader } from '../audit/index.js';
import { isLowerCaseUuid, type Uuid } from '../json/index.js';
import { SystemEventStream, tenantOfEvent } from '../messages/index.js';
import type { AdministrationParts } from './administration-parts.js';
import { VisibleRecords } from './visible-records.js';

/** Something that has an id. */
export interface Match {
  /** `record`: a record of the system stream. */
  readonly kind: 'event' | 'command' | 'stream' | 'correlation' | 'record' | 'deadLetter' | 'user';
  readonly id: string;
  /** The type of the message. */
  readonly type: string | null;
  readonly at: Date | null;
  readonly streamId: string | null;
  readonly position: number | null;
  readonly correlationId: string | null;
}

const plain = { type: null, at: null, streamId: null, position: null, correlationId: null };

/** Tells what an id stands for, without the bodies of what it finds. */
export class Search {
  readonly #parts: AdministrationParts;

  constructor(parts: AdministrationParts) {
    this.#parts = parts;
  }

  /** Everything that has an id: events, commands, streams, requests, records, dead letters, and users. */
  async find(text: string): Promise<readonly Match[]> {
    const visible = await VisibleRecords.of(this.#parts.access, this.#parts.storageOf);
    const reader = new AuditReader(visible.storage);
    const given = text.trim();
    const id = given.toLowerCase();
    if (!isLowerCaseUuid(id)) return await user(reader, visible, given);
    const found = await Promise.all([
      event(visible, id as Uuid),
      command(reader, visible, id as Uuid),
      stream(visible, id as Uuid),
      correlation(reader, visible, id as Uuid),
      deadLetter(visible, id as Uuid),
      user(reader, visible, given),
    ]);
    return found.flat();
  }
}

async function event(visible: VisibleRecords, id: Uuid): Promise<readonly Match[]> {
  const record = await visible.findEvent(id);
  if (record === null) return [];
  const { type, timestamp, streamId, position, correlationId } = record;
  const kind = streamId === SystemEventStream.streamId ? 'record' : 'event';
  return [{ kind, id, type, at: new Date(timestamp), streamId, position, correlationId }];
}

async function command(reader: AuditReader, { tenant }: VisibleRecords, id: Uuid): Promise<readonly Match[]> {
  const { found } = await reader.records({ message: id }, tenant, 10);
  // The record of a command that failed is about a command as well.
  const entry = found.find(
    ({ record }) => record.type === 'svc.CommandAudited' || record.type === 'svc.ReceptorFailed',
  );
  if (entry === undefined) return [];
  const { type, messageType } = { type: entry.entry.type, messageType: bodyText(entry.record.body, 'messageType') };
  const { at, correlationId } = entry.entry;
  return [{ ...plain, kind: 'command', id, type: messageType ?? type, at, correlationId }];
}

async function stream(visible: VisibleRecords, id: Uuid): Promise<readonly Match[]> {
  if ((await visible.findStream(id)) === null) return [];
  return [{ ...plain, kind: 'stream', id, streamId: id, position: await visible.storage.lastPosition(id) }];
}

async function correlation(reader: AuditReader, { tenant }: VisibleRecords, id: Uuid): Promise<readonly Match[]> {
  const { found } = await reader.records({ correlation: id, first: 'oldest' }, tenant, 1);
  const [first] = found;
  if (first === undefined) return [];
  const { type, at } = first.entry;
  return [{ ...plain, kind: 'correlation', id, type, at, correlationId: id }];
}

async function deadLetter({ storage, tenant }: VisibleRecords, id: Uuid): Promise<readonly Match[]> {
  const letter = await storage.findDeadLetter(id);
  if (letter === null || (tenant !== null && tenantOfEvent(letter.message) !== tenant)) return [];
  const { message, lastFailedAt } = letter;
  const { type, correlationId } = message;
  return [{ ...plain, kind: 'deadLetter', id, type, at: new Date(lastFailedAt), correlationId }];
}

async function user(reader: AuditReader, { tenant }: VisibleRecords, id: string): Promise<readonly Match[]> {
  const { found } = await reader.records({ user: id }, tenant, 1);
  return found.length === 0 ? [] : [{ ...plain, kind: 'user', id, at: found[0]!.entry.at }];
}

function bodyText(body: string, name: string): string | null {
  const value = (JSON.parse(body) as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : null;
}
