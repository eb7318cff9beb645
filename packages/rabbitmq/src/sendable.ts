/** What a connection can carry. What it cannot, however often it is tried, must not be tried: the client or the broker would end more than that. */
import type { MessageRefusedError } from '@svc/core/transport';
import { frameMaxOf, type Connection } from './connect.js';
import type { Outbound } from './publisher.js';

/** Messages that are never sent, and why. */
export interface Unsendable {
  readonly messages: readonly Outbound[];
  readonly reason: MessageRefusedError['reason'];
  readonly detail?: string;
}

/** The client writes headers into a buffer of this size. */
const largestHeaders = 65_536;
/** All properties have to go into one frame: this is more than those beside the headers take, each at its longest. */
const otherProperties = 2_000;
/** Of AMQP, for exchanges and routing keys. */
const longestName = 255;

/** The messages that cannot go over a connection; null when all can. */
export function unsendableOf(messages: readonly Outbound[], connection: Connection): Unsendable | null {
  const room = Math.min(largestHeaders, frameMaxOf(connection) - otherProperties);
  const misnamed = messages.filter(({ exchange, routingKey }) => !isName(exchange) || !isName(routingKey));
  if (misnamed.length > 0) {
    const detail = `The names of its topic and its type may have ${longestName} bytes.`;
    return { messages: misnamed, reason: 'Refused', detail };
  }
  const large = messages.filter(({ options: { headers } }) => !fits(headers, room));
  if (large.length === 0) return null;
  const size = sizeOf(large[0]!.options.headers, bytesOf);
  const detail = `Scope and metadata travel as headers, the first has ${size} bytes of these, and there is room for ${room}.`;
  return { messages: large, reason: 'TooLarge', detail };
}

function isName(text: string): boolean {
  return text.length * 3 <= longestName || bytesOf(text) <= longestName;
}

/** Nearly all are small enough by far, which is known without counting bytes. */
function fits(headers: unknown, room: number): boolean {
  return sizeOf(headers, ({ length }) => length * 3) <= room || sizeOf(headers, bytesOf) <= room;
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

/** The size of something that is encoded as a field of a table; of numbers, the largest it can be. */
function sizeOf(value: unknown, sizeOfText: (text: string) => number): number {
  if (typeof value === 'string') return 5 + sizeOfText(value);
  if (typeof value !== 'object' || value === null) return 9;
  if (Buffer.isBuffer(value)) return 5 + value.length;
  let size = 5;
  for (const [key, field] of Object.entries(value)) size += 1 + sizeOfText(key) + sizeOf(field, sizeOfText);
  return size;
}
