import { request as httpRequest } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { ConcurrencyConflictError, NotFoundError, ValidationError } from '@svc/core';
import { nodeHandler } from '@svc/http';
import { describe, expect, it } from 'vitest';
import { graphQL, graphQLErrorCodes } from './index.js';
import { command, hosting, mutation } from './testing/host.js';
import { trialService } from './testing/trial-service.js';

const json = { 'content-type': 'application/json', accept: 'application/graphql-response+json' };

describe('a request', () => {
  it.each([
    ['no body', '', json, 400, 'MALFORMED_JSON'],
    ['something that is not JSON', '{', json, 400, 'MALFORMED_JSON'],
    ['bytes that are not UTF-8', Uint8Array.of(0x22, 0xff, 0x22), json, 400, 'MALFORMED_JSON'],
    ['half a surrogate pair', '{"query":"\\ud800"}', json, 400, 'INVALID_REQUEST'],
    ['text', '{ service }', { 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'a form',
      'query={service}',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['another charset', '{}', { 'content-type': 'application/json; charset=latin1' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'two charsets',
      '{}',
      { 'content-type': 'application/json; charset=utf-8; charset=latin1' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'a content type of 15 KB',
      '{}',
      { 'content-type': `application/json${';a=b'.repeat(3_500)}` },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['a number', '1', json, 400, 'BAD_REQUEST'],
    ['no query', '{}', json, 400, 'BAD_REQUEST'],
    ['a query that is no text', '{"query":1}', json, 400, 'BAD_REQUEST'],
    ['variables that are no object', '{"query":"{service}","variables":[1]}', json, 400, 'BAD_REQUEST'],
    ['an empty batch', '[]', json, 400, 'BAD_REQUEST'],
    ['a subscription', '{"query":"subscription { a }"}', json, 400, 'GRAPHQL_VALIDATION_FAILED'],
    ['no operation', '{"query":"fragment A on Query { service }"}', json, 400, 'GRAPHQL_VALIDATION_FAILED'],
  ])('with %s is rejected', async (_name, body, headers, status, code) => {
    await hosting({}, async ({ post }) => {
      const answer = await post(body, headers);
      expect(answer.status).toBe(status);
      expect(answer.body.errors?.[0]?.extensions.code).toBe(code);
    });
  });

  it('with another method is a 405 that names the allowed ones', async () => {
    await hosting({}, async ({ url }) => {
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        const response = await fetch(`${url}/graphql?query={service}`, { method });
        expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
      }
    });
  });

  it('with a wrong document is a 200 with errors for clients that accept only JSON', async () => {
    await hosting({}, async ({ post }) => {
      for (const query of ['{', '{ unknown }', 'query ($a: Int!) { service }']) {
        const answer = await post({ query }, { 'content-type': 'application/json', accept: 'application/json' });
        expect([answer.status, answer.body.data]).toEqual([200, undefined]);
        expect(answer.body.errors?.[0]?.extensions.code).toMatch(/^GRAPHQL_(?:PARSE|VALIDATION)_FAILED$/);
      }
    });
  });

  it('gets the media type of GraphQL over HTTP if it accepts it', async () => {
    await hosting({}, async ({ post }) => {
      const answer = await post({ query: '{ service }' }, { ...json, accept: 'application/graphql-response+json' });
      expect(answer.headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
      const tooLong = `${'x/y, '.repeat(210)}application/graphql-response+json`;
      for (const accept of ['*/*', tooLong]) {
        const plain = await post({ query: '{ service }' }, { ...json, accept });
        expect(plain.headers.get('content-type')).toBe('application/json; charset=utf-8');
      }
    });
  });

  it('may contain several operations, each with its own result', async () => {
    await hosting({}, async ({ post }) => {
      const { status, body } = await post([
        { query: '{ service }' },
        { query: '{ nothing }' },
        { query: mutation, variables: { command } },
      ]);
      expect(status).toBe(200);
      expect(body).toMatchObject([
        { data: { service: 'trial' } },
        { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] },
        { data: { count: { amount: 2 } } },
      ]);
    });
  });

  it('aborts its command if the client disconnects', async () => {
    const signals: AbortSignal[] = [];
    let begun = (): void => {};
    const running = new Promise<void>((resolve) => (begun = resolve));
    const receive = async (_command: unknown, { signal }: { signal: AbortSignal }): Promise<unknown> => {
      signals.push(signal);
      begun();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return {};
    };
    await hosting({ receive }, async ({ url }) => {
      const request = httpRequest(`${url}/graphql`, { method: 'POST', headers: json, agent: false }).on(
        'error',
        () => {},
      );
      request.end(JSON.stringify({ query: mutation, variables: { command } }));
      await running;
      request.destroy();
      await expect.poll(() => signals.map((signal) => signal.aborted)).toEqual([true]);
    });
  });
});

it('aborts its command over HTTP/2 if its stream is closed, and no other', async () => {
  const signals: AbortSignal[] = [];
  const receive = async (_command: unknown, { signal }: { signal: AbortSignal }): Promise<unknown> => {
    signals.push(signal);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return {};
  };
  const server = createHttp2Server(await nodeHandler(trialService(receive), { graphql: graphQL() }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  try {
    const streams = [1, 2].map(() => {
      const stream = session.request({ ':method': 'POST', ':path': '/graphql', ...json });
      stream.on('error', () => {}).end(JSON.stringify({ query: mutation, variables: { command } }));
      return stream;
    });
    await expect.poll(() => signals.length).toBe(2);
    streams[1]!.close();
    await expect.poll(() => signals.map((signal) => signal.aborted)).toContain(true);
    expect(signals.filter((signal) => signal.aborted)).toHaveLength(1);
  } finally {
    session.destroy();
    server.close();
  }
});

describe('an error', () => {
  const failing = async (error: unknown): Promise<unknown> => {
    let answer: unknown;
    const receive = (): never => {
      throw error;
    };
    await hosting({ receive }, async ({ send, errors }) => {
      const { status, body } = await send(mutation, { command });
      expect(status).toBe(200);
      expect(body.data).toBeNull();
      const { message, extensions } = body.errors![0]!;
      answer = { message, code: extensions.code, errors: extensions['errors'], logged: errors.length };
    });
    return answer;
  };
  const masked = 'The service failed to process the request. Its log has the cause under this trace id.';

  it('for the caller has its code and its message', async () => {
    expect(await failing(new NotFoundError('There is no such thing.'))).toEqual({
      message: 'There is no such thing.',
      code: 'NOT_FOUND',
      logged: 0,
    });
    expect(
      await failing(new ConcurrencyConflictError('0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d' as never, 1, 2)),
    ).toMatchObject({ code: 'CONCURRENCY_CONFLICT' });
  });

  it('of validation has JSON Pointers', async () => {
    const issues = [{ pointer: '/amount', detail: 'is too much' }];
    expect(await failing(new ValidationError(issues))).toMatchObject({ code: 'INVALID_REQUEST', errors: issues });
  });

  it('with expose is sent to the caller', async () => {
    const forbidden = Object.assign(new Error('Not you.'), { statusCode: 403, expose: true });
    expect(await failing(forbidden)).toMatchObject({ code: 'FORBIDDEN', message: 'Not you.' });
    const upstream = Object.assign(new Error('SELECT secret'), { statusCode: 403 });
    expect(await failing(upstream)).toMatchObject({ code: 'INTERNAL_ERROR', message: masked });
  });

  it.each([new Error('SELECT secret FROM users'), 'secret', null, { code: 'SVC_NOT_FOUND', message: 'secret' }])(
    'of the service itself is masked, and logged: %s',
    async (error) => {
      expect(await failing(error)).toEqual({ message: masked, code: 'INTERNAL_ERROR', logged: 1 });
    },
  );

  it('never has a stack', async () => {
    const receive = (): never => {
      throw new Error('inside');
    };
    await hosting({ receive }, async ({ send }) => {
      for (let i = 0; i < 3; i++) {
        const text = JSON.stringify((await send(mutation, { command })).body);
        expect(text).not.toMatch(/inside|stack|\.ts\b|\.js\b/);
      }
    });
  });

  it.each([
    ['a value of another type', { amount: 'many', price: '1' }],
    ['nothing', null],
    ['a property that is missing', { amount: 1 }],
    ['a number that JSON cannot carry', { amount: Number.NaN, price: '1' }],
  ])('in the result is hidden and logged: %s', async (_name, result) => {
    await hosting({ receive: () => result }, async ({ send, errors }) => {
      for (let i = 1; i <= 3; i++) {
        const { body } = await send(mutation, { command });
        expect(body).toMatchObject({
          data: null,
          errors: [{ message: masked, extensions: { code: 'INTERNAL_ERROR' } }],
        });
        expect(errors.length).toBe(i);
      }
    });
  });

  it('has the trace id of the request', async () => {
    const receive = (): never => {
      throw new Error('inside');
    };
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await hosting({ receive }, async ({ post, errors }) => {
      const { body } = await post({ query: mutation, variables: { command } }, { ...json, traceparent });
      expect(body.errors?.[0]?.extensions['traceId']).toBe('0af7651916cd43dd8448eb211c80319c');
      expect(errors[0]).toContain('0af7651916cd43dd8448eb211c80319c');
    });
  });
});

it('spells every code in upper snake case', () => {
  for (const code of Object.keys(graphQLErrorCodes)) expect(code).toMatch(/^[A-Z]+(?:_[A-Z]+)*$/);
});
