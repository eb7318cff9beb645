import { expect, it } from 'vitest';
import { CommandRejectedError, NotFoundError } from './rejections.js';

it('have their codes, the message for the caller and their cause', () => {
  const cause = new Error('cause');
  expect(new CommandRejectedError('sold out', { cause })).toMatchObject({
    code: 'SVC_COMMAND_REJECTED',
    message: 'sold out',
    cause,
  });
  expect(new NotFoundError('no such show', { cause })).toMatchObject({
    code: 'SVC_NOT_FOUND',
    message: 'no such show',
    cause,
  });
});

it('names the business rule, in a form that programs can compare', () => {
  expect(new CommandRejectedError('The room is taken.', { reason: 'room-taken' }).reason).toBe('room-taken');
  expect(new CommandRejectedError('No.').reason).toBeNull();
  for (const reason of ['', 'Room taken', 'x'.repeat(101), 'taken\n'])
    expect(() => new CommandRejectedError('No.', { reason })).toThrow('lower-case letters, digits and hyphens');
});
