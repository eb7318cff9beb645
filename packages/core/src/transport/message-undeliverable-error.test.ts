import { expect, it } from 'vitest';
import { newId } from '../messages/index.js';
import { MessageUndeliverableError } from './message-undeliverable-error.js';

it('names one message and the reason', () => {
  const id = newId();
  const error = new MessageUndeliverableError(id, 'NoInbox');
  expect(error).toMatchObject({ code: 'SVC_MESSAGE_REFUSED', messageIds: [id], reason: 'NoInbox' });
  expect(error.message).toBe(`The transport rejects message ${id}: its destination host has never opened an inbox.`);
});

it('names the first of several messages, their number, the detail and the cause', () => {
  const ids = [newId(), newId(), newId()];
  const cause = new Error('frame too large');
  const error = new MessageUndeliverableError(ids, 'TooLarge', { detail: 'The limit is 1 MiB.', cause });
  expect(error).toMatchObject({ messageIds: ids, reason: 'TooLarge', cause });
  expect(error.message).toBe(
    `The transport rejects message ${ids[0]} and 2 more: it is too large. The limit is 1 MiB.`,
  );
});
