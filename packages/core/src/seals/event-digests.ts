import { hash } from 'node:crypto';
import { uuid, type Uuid } from '../json/index.js';
import {
  comparePlaces,
  EventId,
  EventText,
  idBytes,
  smallBodyBytes,
  type EventBytes,
  type LogPage,
  type LogPlace,
  type StoredRecord,
} from '../storage/index.js';
import { CanonicalWriter, mostBytesOfForm } from './canonical-writer.js';
import { canonicalForm } from './event-digest.js';
import { hashBytes, sharedBatch } from './hashing/hash-batch.js';
import { logSealedType } from './log-sealed.js';

/** How many events are hashed together: their texts stay in the cache of a processor. */
const eventsPerGroup = 256;

/** The digests of the events of a page, as `digestOf` computes them. */
export class EventDigests {
  readonly count: number;
  /** The leaves of the Merkle tree, 32 bytes each. */
  readonly leaves: Buffer;
  /** The digests of the bodies, 32 bytes each. */
  readonly bodies: Buffer;
  /** The ids of the events, 16 bytes each. */
  readonly ids: Buffer;
  /** The indexes of those events that report seals. */
  readonly reports: number[] = [];
  readonly #page: LogPage;

  /** Throws if the scope or the metadata of an event are not JSON. */
  constructor(page: LogPage) {
    this.#page = page;
    this.count = 'records' in page ? page.records.length : page.bytes.count;
    this.leaves = Buffer.allocUnsafe(this.count * hashBytes);
    this.bodies = Buffer.allocUnsafe(this.count * hashBytes);
    this.ids = Buffer.alloc(this.count * idBytes);
    for (let from = 0; from < this.count; from += eventsPerGroup) {
      const to = Math.min(from + eventsPerGroup, this.count);
      if ('records' in page) this.#digestRecords(page.records, from, to);
      else this.#digestBytes(page.bytes, from, to);
    }
  }

  idAt(index: number): Uuid {
    return uuidOf(this.ids, index * idBytes);
  }

  placeAt(index: number): LogPlace {
    if ('records' in this.#page) return this.#page.records[index]!;
    const { sequences, transactions } = this.#page.bytes;
    const sequence = sequences[index]!;
    return transactions === null ? { sequence } : { sequence, transaction: transactions[index]! };
  }

  /** When the event was created, in milliseconds since 1970. */
  timestampAt(index: number): number {
    const page = this.#page;
    return 'records' in page ? page.records[index]!.timestamp : page.bytes.timestamps[index]!;
  }

  bodyAt(index: number): string {
    const page = this.#page;
    return 'records' in page ? page.records[index]!.body : page.bytes.textOf(index, EventText.Body);
  }

  /** The index of the first event after a place, from an index on. */
  firstAfter(place: LogPlace, from: number): number {
    let index = from;
    while (index < this.count && comparePlaces(this.placeAt(index), place) <= 0) index++;
    return index;
  }

  #digestBytes(events: EventBytes, from: number, to: number): void {
    const batch = sharedBatch();
    for (let i = from; i < to; i++) {
      const [start, end] = [events.startOf(i, EventText.Body), events.endOf(i, EventText.Body)];
      const at = batch.reserve(end - start);
      events.content.copy(batch.bytes, at, start, end);
      batch.add(end - start);
    }
    batch.run(this.bodies.subarray(from * hashBytes));
    const writer = new CanonicalWriter(events);
    for (let i = from; i < to; i++) {
      const at = batch.reserve(mostBytesOfForm(events, i));
      // The memory may be another one since it was reserved.
      batch.add(writer.write(i, this.bodies, batch.bytes, at) - at);
      const id = events.placeOfId(i, EventId.Id);
      events.ids.copy(this.ids, i * idBytes, id, id + idBytes);
      if (writer.isReport(i)) this.reports.push(i);
    }
    batch.run(this.leaves.subarray(from * hashBytes));
  }

  #digestRecords(records: readonly StoredRecord[], from: number, to: number): void {
    const batch = sharedBatch();
    const batched: number[] = [];
    for (let i = from; i < to; i++) {
      // An audit record whose event was removed from the database has no body.
      const body = records[i]!.body ?? '';
      if (body.length > smallBodyBytes) hash('sha256', body, 'buffer').copy(this.bodies, i * hashBytes);
      else {
        const at = batch.reserve(3 * body.length);
        batch.add(batch.bytes.write(body, at));
        batched.push(i);
      }
    }
    const hashes = Buffer.allocUnsafe(batched.length * hashBytes);
    batch.run(hashes);
    batched.forEach((index, i) => hashes.copy(this.bodies, index * hashBytes, i * hashBytes, (i + 1) * hashBytes));
    for (let i = from; i < to; i++) {
      const record = records[i]!;
      const form = `\0${canonicalForm(record, this.bodies.toString('hex', i * hashBytes, (i + 1) * hashBytes))}`;
      const at = batch.reserve(3 * form.length);
      batch.add(batch.bytes.write(form, at));
      this.ids.write(record.id.replaceAll('-', ''), i * idBytes, idBytes, 'hex');
      if (record.type === logSealedType) this.reports.push(i);
    }
    batch.run(this.leaves.subarray(from * hashBytes));
  }
}

/** The text of an id of 16 bytes. */
export function uuidOf(bytes: Uint8Array, at: number): Uuid {
  const hex = Buffer.from(bytes.subarray(at, at + idBytes)).toString('hex');
  const groups = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return uuid(groups.join('-'));
}
