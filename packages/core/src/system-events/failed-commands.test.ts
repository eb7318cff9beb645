import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { CommandRejectedError, NotFoundError, type Invocation } from '../dispatch/index.js';
import { wrap, type EnvelopeScope } from '../messages/index.js';
import { FailedCommands } from './failed-commands.js';
import type { ReceptorFailed } from './records/error-events.js';
import { NoOpSystemEventEmitter } from './system-event-emitter.js';

let emitted: ReceptorFailed[];
let reported: unknown[];
let isAway: boolean;

beforeEach(() => {
  emitted = [];
  reported = [];
  isAway = false;
});

function failedCommands(recordsRejections = false): FailedCommands {
  const emit = (event: object): Promise<void> =>
    isAway ? Promise.reject(new Error('away')) : Promise.resolve(void emitted.push(event as ReceptorFailed));
  const emitter = Object.assign(new NoOpSystemEventEmitter(), { emit });
  const failures = new FailedCommands(emitter, { recordsRejections, report: (error) => reported.push(error) });
  onTestFinished(() => failures.close());
  return failures;
}

const ann = { userId: 'ann', permissions: 'orders:write' };

function invocation(type = 'shop.PayOrder', scope: EnvelopeScope | null = ann, isAborted = false): Invocation {
  return {
    envelope: wrap(type, { secret: 'x' }, { scope }),
    metadata: new Map([['ReceptorName', 'Paying']]),
    attempt: 1,
    cancellation: isAborted ? AbortSignal.abort() : new AbortController().signal,
  } as unknown as Invocation;
}

const named = (name: string): Error => Object.assign(new Error('x'), { name });
const seen = (): unknown[] => emitted.map(({ messageType, errorName, count }) => [messageType, errorName, count]);

describe('a command that failed', () => {
  it('is recorded with the command, the receptor, the error and the caller', async () => {
    const failed = invocation();
    await failedCommands().observe(failed, new TypeError('A bug.'));
    expect(emitted).toMatchObject([
      {
        messageId: failed.envelope.id,
        messageType: 'shop.PayOrder',
        receptorName: 'Paying',
        errorName: 'TypeError',
        errorMessage: 'A bug.',
        attempt: 1,
        scope: ann,
      },
    ]);
    expect(seen()).toEqual([['shop.PayOrder', 'TypeError', undefined]]);
  });

  it('is recorded without a scope if the host sent it', async () => {
    await failedCommands().observe(invocation('shop.PayOrder', null), new Error('A bug.'));
    expect(emitted.map(({ scope }) => scope)).toEqual([undefined]);
  });

  it.each<[string, string, EnvelopeScope | null, Error]>([
    ['caller', 'shop.PayOrder', { userId: 'bob' }, new Error('A bug.')],
    ['caller, which is the host', 'shop.PayOrder', null, new Error('A bug.')],
    ['type', 'shop.PlaceOrder', ann, new Error('A bug.')],
    ['error', 'shop.PayOrder', ann, new TypeError('A bug.')],
  ])('is recorded at once after many failures with another %s', async (_what, type, scope, error) => {
    const failures = failedCommands();
    for (let i = 0; i < 25; i++) await failures.observe(invocation(), new Error('A bug.'));
    expect(emitted).toHaveLength(21);
    await failures.observe(invocation(type, scope), error);
    expect(emitted).toHaveLength(22);
    await failures.close();
    expect(seen().slice(22)).toEqual([['shop.PayOrder', 'Error', 4]]);
  });

  it('counts as the same caller with other permissions', async () => {
    const failures = failedCommands();
    for (let i = 0; i < 25; i++)
      await failures.observe(invocation('shop.PayOrder', { ...ann, permissions: `a:${i}` }), new Error('A bug.'));
    expect(emitted).toHaveLength(21);
    await failures.close();
  });

  it('reports that it cannot be recorded', async () => {
    isAway = true;
    await failedCommands().observe(invocation(), new Error('A bug.'));
    expect(reported).toEqual([new Error('away')]);
  });
});

describe('a rejected command', () => {
  it('is recorded only if rejections are', async () => {
    await failedCommands().observe(invocation(), new CommandRejectedError('No.'));
    expect(emitted).toEqual([]);
    const failures = failedCommands(true);
    await failures.observe(invocation(), new CommandRejectedError('No.'));
    expect(seen()).toEqual([['shop.PayOrder', 'CommandRejectedError', undefined]]);
    await failures.close();
  });

  it('is counted if one of the same type was rejected for the same reason before', async () => {
    const failures = failedCommands(true);
    for (let i = 0; i < 3; i++) await failures.observe(invocation(), new CommandRejectedError('No.'));
    await failures.observe(invocation(), new NotFoundError('No.'));
    await failures.observe(invocation('shop.PlaceOrder'), new CommandRejectedError('No.'));
    await failures.observe(invocation('shop.PayOrder', { userId: 'bob' }), new CommandRejectedError('No.'));
    expect(emitted).toHaveLength(4);
    await failures.close();
    expect(seen().slice(4)).toEqual([['shop.PayOrder', 'CommandRejectedError', 2]]);
  });

  it('shares a record with several others after twenty of one caller', async () => {
    const failures = failedCommands(true);
    for (let i = 0; i < 22; i++)
      await failures.observe(invocation(`shop.Command${i}`), new CommandRejectedError('No.'));
    const several = {
      messageType: 'several',
      receptorName: 'several',
      errorName: 'several',
      errorMessage: '',
      attempt: 1,
      scope: ann,
    };
    expect(emitted.slice(20)).toMatchObject([several]);
    await failures.close();
    expect(emitted.slice(21)).toMatchObject([several]);
  });
});

describe('a command that its caller cancelled', () => {
  it('counts as rejected', async () => {
    const cancelled = invocation('shop.PayOrder', ann, true);
    await failedCommands().observe(cancelled, named('AbortError'));
    expect(emitted).toEqual([]);
    const failures = failedCommands(true);
    await failures.observe(cancelled, named('AbortError'));
    expect(seen()).toEqual([['shop.PayOrder', 'AbortError', undefined]]);
    await failures.close();
  });

  it.each<[string, boolean, unknown, string]>([
    ['an abort that the caller did not cause', false, named('AbortError'), 'AbortError'],
    ['another error after the caller cancelled', true, new TypeError('A bug.'), 'TypeError'],
    ['what is no error after the caller cancelled', true, undefined, 'undefined'],
  ])('is not %s, which is a failure', async (_what, isAborted, error, errorName) => {
    await failedCommands().observe(invocation('shop.PayOrder', ann, isAborted), error);
    expect(seen()).toEqual([['shop.PayOrder', errorName, undefined]]);
  });
});
