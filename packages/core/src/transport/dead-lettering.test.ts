import { expect, it } from 'vitest';
import { MessageRegistry, newId } from '../messages/index.js';
import { DeadLetterCause } from '../storage/index.js';
import { deadLetterOf, messageDeadLettered, type FailedMessage } from './dead-lettering.js';

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
