import { expect, it } from 'vitest';
import { DeadLetterCause } from '../storage/index.js';
import { isRejection, MessageRejectedError, rejectionCauses, type RejectionCause } from './message-rejected-error.js';

it.each<[RejectionCause, string]>([
  ['UnprovenOrigin', 'SVC_ORIGIN_UNPROVEN'],
  ['OriginNotAccepted', 'SVC_ORIGIN_NOT_ACCEPTED'],
  ['TypeMismatch', 'SVC_TYPE_MISMATCH'],
  ['SystemMessage', 'SVC_SYSTEM_MESSAGE'],
  ['ClockAhead', 'SVC_CLOCK_AHEAD'],
  ['Expired', 'SVC_COMMAND_EXPIRED'],
  ['UnknownTenant', 'SVC_UNKNOWN_TENANT'],
])('has a code for the cause %s', (rejectionCause, code) => {
  expect(new MessageRejectedError(rejectionCause, 'No.')).toMatchObject({ code, rejectionCause, message: 'No.' });
  expect(rejectionCauses).toContain(rejectionCause);
});

it('distinguishes rejections from the other causes of dead letters', () => {
  const others = Object.values(DeadLetterCause).filter((cause) => !isRejection(cause));
  expect(others).toEqual(['Unreadable', 'TooLarge', 'Refused', 'NoInbox', 'AttemptsExhausted']);
});
