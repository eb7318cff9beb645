import { expect, it } from 'vitest';
import { registry } from '../generated/registry.js';
import { MessageRegistry, newId } from '../messages/index.js';
import { DeadLetterCause, type DeadLetterRecord } from '../storage/index.js';
import { SystemEventOptions } from '../system-events/index.js';
import {
  deadLettering,
  deadLetterOf,
  messageDeadLettered,
  messageOfLetter,
  type FailedMessage,
} from './dead-lettering.js';
import type { ReceivedMessage } from './transport.js';

const id = newId();
const arrived: ReceivedMessage = {
  id,
  type: 'shop.OrderPlaced',
  streamId: newId(),
  body: '{}',
  timestamp: 1,
  correlationId: newId(),
  causationId: newId(),
  scope: { tenantId: 'acme' },
  metadata: { note: 'x' },
  destination: 'shop',
  origin: 'north',
  provenOrigin: 'mallory',
  routedType: 'shop.OrderPaid',
  signature: { keyId: 'k', value: 'v' },
};
const { provenOrigin, routedType, signature, destination, origin, ...record } = arrived;
const failure = { cause: DeadLetterCause.Refused, error: new RangeError('no'), attempts: 3, firstFailedAt: 5 };
const letterOf = (failed: FailedMessage): DeadLetterRecord => deadLetterOf(failed, new MessageRegistry([]));
const incoming: FailedMessage = { direction: 'incoming', message: arrived, ...failure };

it('stores the error of a dead letter without credentials', () => {
  const message = { id: newId(), type: 'shop.OrderPlaced', body: '{}', scope: null } as FailedMessage['message'];
  const error = new Error('publish to amqps://app:hunter2hunter2@broker failed');
  const failed = {
    direction: 'outgoing',
    message,
    cause: DeadLetterCause.Refused,
    error,
    attempts: 1,
    firstFailedAt: 0,
  };
  const letter = deadLetterOf(failed as FailedMessage, new MessageRegistry([]));
  expect(letter.errorMessage).toBe('publish to amqps://***@broker failed');
  expect(messageDeadLettered(letter).errorMessage).toBe(letter.errorMessage);
});

it('stores a message with its cause and attempts, and reads an incoming one as it arrived', () => {
  const before = Date.now();
  const letter = letterOf(incoming);
  expect(letter).toMatchObject({
    direction: 'incoming',
    cause: 'Refused',
    destination,
    origin,
    provenOrigin,
    routedType,
    signature,
    message: record,
    errorName: 'RangeError',
    errorMessage: 'no',
    attempts: 3,
    firstFailedAt: 5,
  });
  expect(letter.lastFailedAt).toBeGreaterThanOrEqual(before);
  expect(messageOfLetter(letter)).toEqual(arrived);
  const { provenOrigin: _origin, routedType: _type, signature: _signature, ...older } = letter;
  expect(messageOfLetter(older)).toEqual({ ...arrived, provenOrigin: null, routedType: null, signature: null });
});

it('stores no arrival of a message that this host has published, and a scheduled command as its own stream', () => {
  const outgoing = letterOf({ direction: 'outgoing', message: arrived, ...failure });
  for (const name of ['provenOrigin', 'routedType', 'signature']) expect(outgoing).not.toHaveProperty(name);
  expect(outgoing.message.streamId).toBe(record.streamId);
  expect(letterOf({ direction: 'scheduled', message: arrived, ...failure }).message.streamId).toBe(id);
});

it('emits the message, its cause and its scope, and the origin of an incoming one', () => {
  const letter = letterOf(incoming);
  const common = { messageId: id, messageType: 'shop.OrderPlaced', destination, cause: 'Refused', attempt: 3 };
  expect(messageDeadLettered(letter)).toMatchObject({
    ...common,
    origin,
    scope: { tenantId: 'acme' },
    errorName: 'RangeError',
    timestamp: new Date(letter.lastFailedAt),
  });
  const outgoing = messageDeadLettered(
    letterOf({ direction: 'outgoing', message: { ...arrived, scope: null }, ...failure }),
  );
  expect(outgoing).toMatchObject({ ...common, origin: undefined, scope: undefined });
});

it('emits system events only if they are enabled', () => {
  const messages = new MessageRegistry(registry.messages);
  const enabled = new SystemEventOptions();
  enabled.enableErrorEvents();
  const emitted = [enabled, new SystemEventOptions(), null].map((options) => {
    const { deadLetters, outgoing } = deadLettering(messages, options)([incoming, incoming]);
    expect(deadLetters).toHaveLength(2);
    return outgoing.map(({ message }) => message!.type);
  });
  expect(emitted).toEqual([['svc.MessageDeadLettered', 'svc.MessageDeadLettered'], [], []]);
});
