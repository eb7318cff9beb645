import { describe, expect, it } from 'vitest';
import { ServiceError } from '../errors/index.js';
import { newId } from '../messages/index.js';
import { ConcurrencyConflictError } from './concurrency-conflict-error.js';
import { DuplicateEventError } from './duplicate-event-error.js';
import { ForeignStreamError } from './foreign-stream-error.js';
import { IdempotencyKeyInUseError } from './idempotency-key-in-use-error.js';
import { LateEventError } from './late-event-error.js';
import { LogWentBackError } from './log-went-back-error.js';
import { MessageSettledError } from './message-settled-error.js';
import { ReactionTakenOverError } from './reaction-taken-over-error.js';
import { StorageDamagedError } from './storage-damaged-error.js';
import { StorageUnavailableError } from './storage-unavailable-error.js';

const [a, b] = [newId(), newId()];
const cause = new Error('socket closed');

it.each<[string, ServiceError, string, string, object]>([
  [
    'a stale position',
    new ConcurrencyConflictError(a, 3, 5),
    'SVC_CONCURRENCY_CONFLICT',
    `Stream ${a} is at position 5, not 3. Read it again and retry.`,
    { name: 'ConcurrencyConflictError', streamId: a, expectedPosition: 3, actualPosition: 5 },
  ],
  [
    'a stream that already exists',
    new ConcurrencyConflictError(a, -1, 5),
    'SVC_CONCURRENCY_CONFLICT',
    `Stream ${a} already exists. Use another id, or read the stream before you append to it.`,
    { name: 'ConcurrencyConflictError', streamId: a, expectedPosition: -1, actualPosition: 5 },
  ],
  [
    'an id that another event has',
    new DuplicateEventError(a),
    'SVC_DUPLICATE_EVENT',
    `Cannot append the event ${a}: another event has this id.`,
    { name: 'DuplicateEventError', eventId: a },
  ],
  [
    'a stream of another tenant, which does not exist for the caller',
    new ForeignStreamError(a),
    'SVC_NOT_FOUND',
    `There is no stream ${a}.`,
    { name: 'ForeignStreamError', streamId: a },
  ],
  [
    'an idempotency key in use',
    new IdempotencyKeyInUseError(),
    'SVC_IDEMPOTENCY_KEY_IN_USE',
    'Another request with the same idempotency key is in progress.',
    { name: 'IdempotencyKeyInUseError' },
  ],
  [
    'streams to which other hosts append at each attempt',
    new LateEventError(
      new Map([
        [a, b],
        [b, a],
      ]),
    ),
    'SVC_CONCURRENCY_CONFLICT',
    `Cannot append to stream ${a}, stream ${b}: other hosts appended events at each attempt. Retry.`,
    {
      name: 'LateEventError',
      latest: new Map([
        [a, b],
        [b, a],
      ]),
    },
  ],
  [
    'committed events that are missing',
    new LogWentBackError([a, b]),
    'SVC_LOG_WENT_BACK',
    `The log no longer contains events that were committed, such as ${a}:`,
    { name: 'LogWentBackError', missing: [a, b] },
  ],
  [
    'a message without anything left to do',
    new MessageSettledError(a),
    'SVC_MESSAGE_SETTLED',
    `The message ${a} has been delivered or received already.`,
    { name: 'MessageSettledError', messageId: a },
  ],
  [
    'a reaction that another host runs',
    new ReactionTakenOverError('sendMail'),
    'SVC_REACTION_TAKEN_OVER',
    'Another host has taken over the reaction sendMail,',
    { name: 'ReactionTakenOverError' },
  ],
  [
    'a damaged database',
    new StorageDamagedError(cause),
    'SVC_STORAGE_DAMAGED',
    'Stop the service, and restore the database from a backup.',
    { name: 'StorageDamagedError', cause },
  ],
])('reports %s with its code and what it is about', (_name, error, code, message, fields) => {
  expect(error).toBeInstanceOf(ServiceError);
  expect(error.code).toBe(code);
  expect(error.message).toContain(message);
  expect(error).toMatchObject(fields);
});

describe('an unavailable database', () => {
  it.each([
    ['unreachable', 'The database cannot be reached. Nothing was committed. Retry later.'],
    ['full', 'The database has no room left. Nothing was committed. Free disk space, then retry.'],
    ['read-only', 'The database is read-only. Nothing was committed. Make it writable, then retry.'],
    [
      'went-back',
      'The database no longer has events that were committed (SVC_LOG_WENT_BACK). Nothing was committed. Decide whether to accept the loss, then restart every host.',
    ],
  ] as const)('that is %s has committed nothing, and the error says what to do', (reason, message) => {
    const error = new StorageUnavailableError('none', cause, reason);
    expect(error).toMatchObject({ code: 'SVC_STORAGE_UNAVAILABLE', outcome: 'none', reason, message });
    expect(error.cause).toBe(cause);
  });

  it('is unreachable if nothing else is known', () => {
    expect(new StorageUnavailableError('none', cause).reason).toBe('unreachable');
  });

  it('may have committed a record if the connection was lost during the commit', () => {
    const error = new StorageUnavailableError('unknown', cause);
    expect(error).toMatchObject({ outcome: 'unknown', reason: 'unreachable', cause });
    expect(error.message).toContain('the record may or may not be stored. Check before you retry.');
    expect(error.message).not.toContain('Nothing was committed');
  });
});
