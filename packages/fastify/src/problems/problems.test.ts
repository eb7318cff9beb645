import { readFileSync } from 'node:fs';
import {
  ConcurrencyConflictError,
  CommandRejectedError,
  createService,
  EventNotProcessedError,
  messageOf,
  newId,
  NotFoundError,
  ServiceError,
  ValidationError,
  type ReceptorContext,
} from '@svc/core';
import { IdempotencyKeyInUseError, StorageUnavailableError } from '@svc/core/storage';
import type { Issues } from '@svc/core/json';
import Fastify, { errorCodes, type FastifyInstance, type InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { svc } from '../plugin.js';
import { capturedLog, level } from '../testing/logs.js';
import { CreateOrder, OrderPlaced, type OrderCreated } from '../testing/order-messages.js';
import { orderBody, orderRegistry, orderService } from '../testing/order-service.js';
import { problemTypes, problemUrn, type ProblemName } from '@svc/http';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const valid: InjectOptions = {
  method: 'POST',
  url: '/orders?secret=1',
  payload: orderBody(),
  headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
};

function throwing(error: unknown): () => never {
  return () => {
    throw error;
  };
}

/** The response to a request whose command, or a hook of the host, throws. */
async function answerTo(
  { command, hook }: { command?: unknown; hook?: unknown },
  request: InjectOptions = valid,
  prepare: (app: FastifyInstance) => void = () => {},
) {
  const { logger, lines } = capturedLog();
  const app = Fastify({ logger });
  if (hook !== undefined) app.addHook('preHandler', throwing(hook));
  await app.register(svc(orderService(command === undefined ? undefined : throwing(command)), { bodyLimit: 2000 }));
  prepare(app);
  return { answer: await app.inject(request), lines };
}

const streamId = newId();

/** One way to each problem of the table; `rejected-paths.test.ts` has the one that no route answers. */
const ways: Record<
  Exclude<ProblemName, 'uri-too-long'>,
  { thrown?: Parameters<typeof answerTo>[0]; request?: InjectOptions; detail: unknown }
> = {
  'malformed-json': {
    request: { ...valid, headers: { ...valid.headers, 'content-type': 'application/json' }, payload: '{' },
    detail: expect.stringMatching(/^The body is not JSON: Expected property name .* at position 1/),
  },
  'invalid-request': { request: { ...valid, payload: [] }, detail: 'The request is not valid; see errors.' },
  'bad-request': {
    thrown: { hook: new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH() },
    detail: 'Request body size did not match Content-Length',
  },
  unauthenticated: { thrown: { hook: Object.assign(new Error('Who?'), { statusCode: 401 }) }, detail: 'Who?' },
  forbidden: { thrown: { hook: Object.assign(new Error('No.'), { statusCode: 403 }) }, detail: 'No.' },
  'not-found': { thrown: { command: new NotFoundError('There is no order 7.') }, detail: 'There is no order 7.' },
  'route-not-found': { request: { ...valid, url: '/order?secret=1' }, detail: 'There is no route /order.' },
  'method-not-allowed': { request: { ...valid, method: 'PUT' }, detail: 'PUT is not allowed here; POST is.' },
  'concurrency-conflict': {
    thrown: { command: new ConcurrencyConflictError(streamId, 1, 2) },
    detail: `Stream ${streamId} is at position 2, not 1. Read it again and retry.`,
  },
  'idempotency-key-in-use': {
    thrown: { command: new IdempotencyKeyInUseError() },
    detail: expect.stringMatching(/is in progress\. Repeat this request/),
  },
  'content-too-large': {
    request: { ...valid, payload: orderBody({ attributes: 'x'.repeat(2000) }) },
    detail: 'The body is too large.',
  },
  'unsupported-media-type': {
    request: { ...valid, headers: { ...valid.headers, 'content-type': 'text/plain' }, payload: 'x' },
    detail: 'Unsupported Media Type',
  },
  'command-rejected': { thrown: { command: new CommandRejectedError('Sold out.') }, detail: 'Sold out.' },
  'idempotency-key-reused': {
    thrown: { command: new ServiceError('SVC_IDEMPOTENCY_KEY_REUSED', 'Another request.') },
    detail: 'Another request.',
  },
  'too-many-requests': {
    thrown: { hook: Object.assign(new Error('Slow down.'), { statusCode: 429 }) },
    detail: 'Slow down.',
  },
  'internal-error': {
    thrown: { command: new Error('connect to db.internal failed') },
    detail: 'The service failed to process the request. Its log has the cause under this trace id.',
  },
  'event-not-taken': {
    thrown: { hook: new EventNotProcessedError('Orders', 'within 5 s') },
    detail: 'Orders did not process the event within 5 s. Repeat the request, or wait longer (at most 30 s).',
  },
  unavailable: {
    thrown: { hook: Object.assign(new Error('db.internal is down'), { statusCode: 503 }) },
    detail: 'The service cannot process the request at the moment. Try again later.',
  },
};

describe('a problem', () => {
  it.each(Object.entries(ways))('is sent as %s, and logged under its trace id', async (key, way) => {
    const name = key as ProblemName;
    const { status, title } = problemTypes[name];
    const { answer, lines } = await answerTo(way.thrown ?? {}, way.request);
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    const instance = name === 'route-not-found' ? '/order' : '/orders';
    const errors = name === 'invalid-request' && { errors: [{ pointer: '', detail: 'must be an object' }] };
    expect(answer.json()).toEqual({
      type: problemUrn(name),
      title,
      status,
      detail: way.detail,
      instance,
      traceId,
      ...errors,
    });
    expect(lines.filter((line) => line.traceId === traceId).map((line) => line.level)).toEqual([
      status >= 500 ? level.error : level.info,
    ]);
  });

  it('has the reason of a rejection, and no reason of another error', async () => {
    const rejected = new CommandRejectedError('Sold out.', { reason: 'sold-out' });
    expect((await answerTo({ command: rejected })).answer.json()).toMatchObject({ reason: 'sold-out' });
    const another = Object.assign(new NotFoundError('There is no order 7.'), { reason: 'internal' });
    for (const command of [another, new CommandRejectedError('Sold out.')])
      expect((await answerTo({ command })).answer.json()).not.toHaveProperty('reason');
  });

  it('is in the table of docs/reference/problems.md, and nothing else is', () => {
    const page = readFileSync(new URL('../../../../docs/reference/problems.md', import.meta.url), 'utf8');
    const row = /^\| `urn:svc:problem:([\w-]+)` +\| (\d+) +\| ([^|]+?) +\| ([^|]+?) +\|$/gm;
    const rows = [...page.matchAll(row)].map(([, name, status, title, meaning]) => [
      name,
      { status: Number(status), title, meaning },
    ]);
    expect(Object.fromEntries(rows)).toEqual(problemTypes);
  });
});

describe('an error that is not meant for the caller', () => {
  it('is a stored event that cannot be read: a 500 that reveals nothing of the event', async () => {
    const orderId = newId();
    const { messages, ...registry } = orderRegistry;
    const service = createService({
      ...registry,
      messages: messages.map((known) => (known.class === OrderPlaced ? Object.assign({}, known, { read }) : known)),
      receptors: [{ name: 'OrderReceptor', command: CreateOrder, create: () => ({ receive }) }],
    });
    const app = Fastify();
    await app.register(svc(service));
    expect((await app.inject(valid)).statusCode).toBe(200);
    const { statusCode, body } = await app.inject(valid);
    expect(statusCode).toBe(500);
    expect(body).not.toContain('margin');
    await service.stop();

    function read(value: unknown, issues: Issues): OrderPlaced {
      return issues.reject(value, 'an object with a margin');
    }
    async function receive(command: CreateOrder, context: ReceptorContext): Promise<OrderCreated> {
      for await (const event of context.readStream(orderId)) expect.unreachable(event.envelope.type);
      context.append(orderId, messageOf(OrderPlaced, { customerId: command.customerId }));
      return { orderId, total: '0' };
    }
  });

  const secret = 'SELECT * FROM accounts -- secret';
  const upstream = Object.assign(new Error(secret), { statusCode: 404, status: 404 });

  it.each([
    ['an error', new Error(secret)],
    ['an error with the status of another server', upstream],
    ['malformed JSON from elsewhere', new ServiceError('SVC_MALFORMED_JSON', secret)],
    ['another code of svc', new ServiceError('SVC_UNWRITABLE_VALUE', secret)],
    ['an error that names a property of every object', Object.assign(new Error(secret), { code: 'constructor' })],
    ['a string', secret],
    ['an object', { message: secret, statusCode: 400, code: 'SVC_NOT_FOUND' }],
    ['null', null],
    ['a function', () => secret],
  ])('is a 500 that reveals nothing of it: %s', async (_name, command) => {
    const { answer, lines } = await answerTo({ command });
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toMatchObject({ type: 'urn:svc:problem:internal-error' });
    expect(answer.body).not.toContain('secret');
    expect(lines.some((line) => line.level === level.error && line.traceId === traceId)).toBe(true);
  });

  it('is logged with its stack', async () => {
    const { lines } = await answerTo({ command: new Error(secret) });
    const line = lines.find((candidate) => candidate.level === level.error);
    expect(line!.err).toMatchObject({ message: secret, stack: expect.stringContaining('problems.test') as unknown });
  });
});

describe('a database that cannot be reached', () => {
  it.each([
    [
      'nothing was committed',
      new StorageUnavailableError('none', new Error('secret')),
      /at the moment\. Try again later\.$/,
    ],
    ['the outcome is unknown', new StorageUnavailableError('unknown', new Error('secret')), /may or may not be stored/],
    [
      'it cannot be opened',
      new ServiceError('SVC_STORAGE_UNAVAILABLE', 'secret'),
      /at the moment\. Try again later\.$/,
    ],
  ])('is a 503 with Retry-After: %s', async (_name, command, detail) => {
    const { answer } = await answerTo({ command });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2']);
    expect(answer.json()).toMatchObject({
      type: 'urn:svc:problem:unavailable',
      detail: expect.stringMatching(detail) as string,
    });
    expect(answer.body).not.toContain('secret');
  });

  it('is a 503 with Retry-After if too many commands wait for a stream', async () => {
    const { answer } = await answerTo({ command: new ServiceError('SVC_STREAM_BUSY', '7 commands wait.') });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2']);
  });

  it('does not change an existing Retry-After', async () => {
    const hook = Object.assign(new Error('busy'), { statusCode: 503, headers: { 'retry-after': '60' } });
    expect((await answerTo({ hook })).answer.headers['retry-after']).toBe('60');
  });
});

it('sends a conflict with Retry-After, and one with a stream that already exists or a rejected command without', async () => {
  const conflict = await answerTo({ command: new ConcurrencyConflictError(streamId, 1, 2) });
  expect([conflict.answer.statusCode, conflict.answer.headers['retry-after']]).toEqual([409, '1']);
  const existing = await answerTo({ command: new ConcurrencyConflictError(streamId, -1, 2) });
  expect([existing.answer.statusCode, existing.answer.headers['retry-after']]).toEqual([409, undefined]);
  expect(existing.answer.json()).toMatchObject({
    detail: `Stream ${streamId} already exists. Use another id, or read the stream before you append to it.`,
  });
  const rejected = await answerTo({ command: new CommandRejectedError('Sold out.') });
  expect(rejected.answer.headers['retry-after']).toBeUndefined();
});

describe('an error with a status', () => {
  it('is sent with that status if a command throws it with expose', async () => {
    const exposed = Object.assign(new Error('Pay first.'), {
      statusCode: 402,
      expose: true,
      headers: { 'x-due': '7' },
    });
    const { answer } = await answerTo({ command: exposed });
    expect(answer.json()).toMatchObject({
      type: 'about:blank',
      title: 'Payment Required',
      status: 402,
      detail: 'Pay first.',
    });
    expect(answer.headers['x-due']).toBe('7');
  });

  it.each([200, 302, 399, 418.5, 500, 502, 600, '404', Number.NaN])(
    'is a 500 if the status is %s',
    async (statusCode) => {
      const { answer } = await answerTo({ hook: Object.assign(new Error('hidden'), { statusCode }) });
      expect(answer.statusCode).toBe(500);
      expect(answer.body).not.toContain('hidden');
    },
  );
});

describe('the parts of a request in a problem', () => {
  it('are truncated', async () => {
    const long = '😀'.repeat(10_000);
    const rejected = await answerTo({ command: new CommandRejectedError(long) });
    expect(rejected.answer.body.length).toBeLessThan(5_000);
    expect(rejected.answer.json<{ detail: string }>().detail.isWellFormed()).toBe(true);
    const issues = Array.from({ length: 200 }, (_, i) => ({ pointer: `/${i}${long}`, detail: long }));
    const invalid = await answerTo({ command: new ValidationError(issues) });
    expect(invalid.answer.json<{ errors: unknown[] }>().errors).toHaveLength(100);
    expect(invalid.answer.body.length).toBeLessThan(500_000);
    const path = await answerTo({}, { method: 'GET', url: `/${'x'.repeat(10_000)}` });
    expect(path.answer.body.length).toBeLessThan(3_000);
  });

  it('are valid JSON for any characters', async () => {
    const odd = 'a "quote", a \\, a \u2028 line, \u0000, <script>, \ud800 half a pair';
    const { answer } = await answerTo({ command: new CommandRejectedError(odd) });
    expect(answer.json()).toMatchObject({ detail: odd });
    const path = await answerTo({}, { method: 'GET', url: '/%22%3Cscript%3E%00' });
    expect(path.answer.json()).toMatchObject({ instance: '/%22%3Cscript%3E%00' });
  });
});

describe('the trace id', () => {
  it.each([
    ['a later version', `cc-${traceId}-00f067aa0ba902b7-01-more`, true],
    ['the forbidden version', `ff-${traceId}-00f067aa0ba902b7-01`, false],
    ['more than version 00 has', `00-${traceId}-00f067aa0ba902b7-01-more`, false],
    ['a trace of zeros', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, false],
    ['a parent of zeros', `00-${traceId}-${'0'.repeat(16)}-01`, false],
    ['upper case', `00-${traceId.toUpperCase()}-00f067aa0ba902b7-01`, false],
    ['two headers', `00-${traceId}-00f067aa0ba902b7-01, 00-${traceId}-00f067aa0ba902b7-01`, false],
    ['a later version of 2 KB', `cc-${traceId}-00f067aa0ba902b7-01-${'x'.repeat(2_000)}`, false],
    ['nonsense', 'x', false],
  ])('is taken from a valid traceparent only: %s', async (_name, traceparent, isUsed) => {
    const { answer } = await answerTo({}, { ...valid, payload: [], headers: { traceparent } });
    const { traceId: given } = answer.json<{ traceId: string }>();
    expect(given === traceId).toBe(isUsed);
    expect(given).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
  });
});
