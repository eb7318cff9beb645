/** The nodes that are asked and answer: `$cbs` takes tokens, `$management` is asked about the messages of a queue. */
import { message as amqp, types, type Message } from 'rhea';
import type { MessageQueue } from './message-queue.js';
import { reorderGuid, type AmqpError } from './wire.js';

export interface Answer {
  readonly statusCode: number;
  readonly statusDescription: string;
  readonly errorCondition?: string;
  readonly body?: unknown;
}

const ok: Answer = { statusCode: 200, statusDescription: 'OK' };
const nothing: Answer = { statusCode: 204, statusDescription: 'No Content' };

export function failed(statusCode: number, { condition, description }: AmqpError): Answer {
  return { statusCode, statusDescription: description, errorCondition: condition };
}

/** Takes a token that was signed with the key, for as long as it lasts. */
export function putToken(request: Message, isGood: (token: string) => boolean): Answer {
  const { operation } = request['application_properties'] as Record<string, string>;
  if (operation !== 'put-token') return { statusCode: 501, statusDescription: 'Not implemented' };
  if (isGood(String(request['body']))) return { statusCode: 202, statusDescription: 'Accepted' };
  return failed(401, {
    condition: 'amqp:unauthorized-access',
    description: 'InvalidSignature: The token has an invalid signature.',
  });
}

export function manage(request: Message, queue: MessageQueue): Answer {
  const { operation } = request['application_properties'] as Record<string, string>;
  const body = request['body'] as Record<string, unknown>;
  const sessionId = body['session-id'] as string | undefined;
  switch (operation) {
    case 'com.microsoft:peek-message':
      return peek(queue, number(body['from-sequence-number']), Number(body['message-count']), sessionId);
    case 'com.microsoft:renew-lock':
      return renewLocks(queue, body['lock-tokens'] as readonly Buffer[]);
    case 'com.microsoft:renew-session-lock':
      return renewSession(queue, sessionId ?? '');
    case 'com.microsoft:get-session-state':
      return { ...ok, body: { 'session-state': queue.sessionState(sessionId ?? '') } };
    case 'com.microsoft:set-session-state':
      queue.setSessionState(sessionId ?? '', (body['session-state'] as Buffer | undefined) ?? null);
      return ok;
    default:
      return { statusCode: 501, statusDescription: `${operation} is not implemented by the double` };
  }
}

function peek(queue: MessageQueue, from: number, count: number, sessionId: string | undefined): Answer {
  const found = queue.messages
    .filter(({ sequence, message }) => sequence >= from && (sessionId === undefined || message.group_id === sessionId))
    .slice(0, count);
  if (found.length === 0) return nothing;
  const messages = found.map(({ message, sequence, enqueuedAt, deliveryCount }) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64BE(BigInt(sequence));
    const annotations = {
      ...(message['message_annotations'] as object | undefined),
      'x-opt-sequence-number': types.wrap_long(bytes),
      'x-opt-enqueued-time': new Date(enqueuedAt),
    };
    return { message: amqp.encode({ ...message, delivery_count: deliveryCount, message_annotations: annotations }) };
  });
  return { ...ok, body: { messages } };
}

function renewLocks(queue: MessageQueue, tokens: readonly Buffer[]): Answer {
  const until = tokens.map((token) => queue.renewMessage(reorderGuid(token)));
  if (until.includes(null)) {
    return failed(410, { condition: 'com.microsoft:message-lock-lost', description: 'The lock has expired.' });
  }
  return { ...ok, body: { expirations: types.wrap_array(until, 0x83, undefined) } };
}

function renewSession(queue: MessageQueue, sessionId: string): Answer {
  const until = queue.renewSession(sessionId);
  if (until === null) {
    return failed(410, { condition: 'com.microsoft:session-lock-lost', description: 'The lock has expired.' });
  }
  return { ...ok, body: { expiration: types.wrap_timestamp(until) } };
}

/** A long that may come as a number, or as its bytes when it is larger than a number can hold. */
function number(value: unknown): number {
  if (Buffer.isBuffer(value)) return Number(value.readBigInt64BE());
  return Number(value);
}
