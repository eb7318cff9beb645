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
