/** Finds messages that a connection can never carry. Sending one would make the client or the broker close the channel. */
import type { MessageUndeliverableError } from '@svc/core/transport';
import { frameMaxOf, type Connection } from './connect.js';
import type { Outbound } from './outbound.js';

/** Messages that are never sent, and why. */
export interface Unsendable {
  readonly messages: readonly Outbound[];
  readonly reason: MessageUndeliverableError['reason'];
  readonly detail?: string;
}

/** The client writes headers into a buffer of this size. */
const largestHeaders = 65_536;
/** All properties must fit into one frame. This covers the maximum size of those other than the headers. */
const otherProperties = 2_000;
/** The client writes nested headers recursively. Those of svc are not nested; a dead letter has the headers of its sender. */
const deepestHeaders = 100;
/** The AMQP limit for exchange names and routing keys. */
const maxNameBytes = 255;

/** The messages that cannot be sent over a connection; null if all can. */
export function unsendableOf(messages: readonly Outbound[], connection: Connection): Unsendable | null {
  const room = Math.min(largestHeaders, frameMaxOf(connection) - otherProperties);
  const misnamed = messages.filter(({ exchange, routingKey }) => !isName(exchange) || !isName(routingKey));
  if (misnamed.length > 0) {
    const detail = `The names of its topic and its type are limited to ${maxNameBytes} bytes.`;
    return { messages: misnamed, reason: 'Refused', detail };
  }
  const large = messages.filter(({ options: { headers } }) => !fits(headers, room));
  if (large.length === 0) return null;
  const size = sizeOf(large[0]!.options.headers, bytesOf);
  const detail = `Scope and metadata are sent as headers. The first message has ${size} bytes of headers; the limit is ${room}.`;
  return { messages: large, reason: 'TooLarge', detail };
}

function isName(text: string): boolean {
  return text.length * 3 <= maxNameBytes || bytesOf(text) <= maxNameBytes;
}

/** Nearly all messages are small enough to be checked without counting bytes. */
function fits(headers: unknown, room: number): boolean {
  return sizeOf(headers, ({ length }) => length * 3) <= room || sizeOf(headers, bytesOf) <= room;
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

/** The encoded size of a field of a table; for numbers, the maximum. Infinite for tables in tables that the client could not encode. */
function sizeOf(value: unknown, sizeOfText: (text: string) => number, depth = 0): number {
  if (typeof value === 'string') return 5 + sizeOfText(value);
  if (typeof value !== 'object' || value === null) return 9;
  if (Buffer.isBuffer(value)) return 5 + value.length;
  if (depth > deepestHeaders) return Number.POSITIVE_INFINITY;
  let size = 5;
  for (const [key, field] of Object.entries(value)) size += 1 + sizeOfText(key) + sizeOf(field, sizeOfText, depth + 1);
  return size;
}
