import type { Uuid } from '../../json/index.js';
import { scopeOfText, scopeText } from '../../messages/index.js';
import { IdTable } from './id-table.js';
import { LateRecord } from '../database/late-record.js';
import { MemoryRecord } from './memory-record.js';
import type { EventRecord, PendingRecord, StoredRecord } from '../storage.js';

/** Blocks double in size from the one to the other; an event that is larger has a block of its own. */
const smallestBlock = 2 ** 14;
const largestBlock = 2 ** 20;

/** In front of each text stands how long it is. */
const lengthBytes = 4;

const lineBreak = '\n';

/** What a unit of a text may take in UTF-8. */
const mostBytesPerUnit = 3;

/** A place: the number of its block times `largestBlock`, and where it begins there. Or the event itself, which stays what it is. */
export type WrittenEvent = number | PendingRecord;

/**
 * The events of a storage in memory, in the order in which they came. Each is kept as one text outside of the heap: they stay for as long
 * as the process, and whatever is on the heap is copied and looked through again and again while requests wait.
 */
export class MemoryLog {
  readonly #blocks: Buffer[] = [];
  /** Where the last block has room. */
  #end = 0;
  readonly #events: WrittenEvent[] = [];
  readonly #positions: number[] = [];
  readonly #ids = new IdTable((sequence) => this.idAt(sequence));
  /** How many events have their id in the table. */
  #indexed = 0;
  /** The event that was read last: of each, one part is asked for after the other. */
  #read: { readonly sequence: number; readonly event: EventRecord } | undefined;

  get length(): number {
    return this.#events.length;
  }

  /** Writes down what is to be added. What cannot be written throws, and the log is what it was. */
  write(event: PendingRecord): WrittenEvent {
    return event instanceof LateRecord ? event : this.#keep(textOf(event));
  }

  /** Adds an event in its position in its stream. */
  add(written: WrittenEvent, position: number): void {
    this.#events.push(written);
    this.#positions.push(position);
  }

  at(sequence: number): StoredRecord {
    return new MemoryRecord(this, this.#positions[sequence]!, sequence);
  }

  idAt(sequence: number): string {
    const event = this.#events[sequence]!;
    return typeof event === 'number' ? this.#lineAt(event, 0) : event.id;
  }

  streamIdAt(sequence: number): string {
    const event = this.#events[sequence]!;
    return typeof event === 'number' ? this.#lineAt(event, 1) : event.streamId;
  }

  /** The sequence number of the event with an id; -1 when there is none. */
  find(id: Uuid): number {
    // Adding an event does not pay for it: most services never look for one.
    while (this.#indexed < this.length) this.#ids.add(this.idAt(this.#indexed), this.#indexed++);
    return this.#ids.find(id);
  }

  read(sequence: number): EventRecord {
    if (this.#read?.sequence === sequence) return this.#read.event;
    const written = this.#events[sequence]!;
    const event = typeof written === 'number' ? eventOf(this.#textAt(written)) : written;
    this.#read = { sequence, event };
    return event;
  }

  #keep(text: string): number {
    const mostBytes = lengthBytes + text.length * mostBytesPerUnit;
    if (this.#end + mostBytes > (this.#blocks.at(-1)?.length ?? 0)) this.#addBlock(text, mostBytes);
    const block = this.#blocks.at(-1)!;
    const start = this.#end;
    const length = block.write(text, start + lengthBytes, 'utf8');
    block.writeUInt32LE(length, start);
    this.#end = start + lengthBytes + length;
    return (this.#blocks.length - 1) * largestBlock + start;
  }

  #addBlock(text: string, mostBytes: number): void {
    const usual = Math.min(smallestBlock * 2 ** this.#blocks.length, largestBlock);
    const bytes = mostBytes <= usual ? usual : Math.max(usual, lengthBytes + Buffer.byteLength(text));
    // The collector does not count memory that is shared. It would come the more often for it, and find nothing.
    this.#blocks.push(Buffer.from(new SharedArrayBuffer(bytes)));
    this.#end = 0;
  }

  #textAt(place: number): string {
    const { block, start } = this.#placeOf(place);
    const begin = start + lengthBytes;
    return block.toString('utf8', begin, begin + block.readUInt32LE(start));
  }

  /** One of the ids in front, without the rest of the text. */
  #lineAt(place: number, line: number): string {
    const { block, start } = this.#placeOf(place);
    let begin = start + lengthBytes;
    for (let i = 0; i < line; i++) begin = block.indexOf(lineBreak, begin) + 1;
    return block.toString('latin1', begin, block.indexOf(lineBreak, begin));
  }

  #placeOf(place: number): { readonly block: Buffer; readonly start: number } {
    return { block: this.#blocks[Math.floor(place / largestBlock)]!, start: place % largestBlock };
  }
}

/** What stands in front of the body in the text of an event, each on a line of its own. */
type Lines = [
  id: Uuid,
  streamId: Uuid,
  correlationId: Uuid,
  causationId: Uuid | '',
  type: string,
  timestamp: string,
  scope: string,
  metadata: string,
];
const linesBeforeBody: Lines['length'] = 8;

function textOf(event: PendingRecord): string {
  const { id, streamId, correlationId, causationId, type, timestamp, scope, metadata, body } = event;
  return `${id}\n${streamId}\n${correlationId}\n${causationId ?? ''}\n${type}\n${timestamp}\n${scope === null ? '' : scopeText(scope)}\n${metadataText(metadata)}\n${body}`;
}

function metadataText(metadata: Readonly<Record<string, unknown>>): string {
  for (const _ in metadata) return JSON.stringify(metadata);
  return '{}';
}

function eventOf(text: string): EventRecord {
  const lines = text.split(lineBreak, linesBeforeBody) as Lines;
  const [id, streamId, correlationId, causationId, type, timestamp, scope, metadata] = lines;
  const bodyAt = lines.reduce((length, line) => length + line.length + lineBreak.length, 0);
  return {
    id,
    streamId,
    correlationId,
    causationId: causationId === '' ? null : causationId,
    type,
    timestamp: Number(timestamp),
    scope: scope === '' ? null : scopeOfText(scope),
    metadata: JSON.parse(metadata) as Readonly<Record<string, unknown>>,
    body: text.slice(bodyAt),
  };
}
