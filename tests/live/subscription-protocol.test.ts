/** The distinct connections mode of graphql-sse, as bytes: https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md */
import { once } from 'node:events';
import { get, request as sendRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { graphQL, type GraphQLOptions } from '@svc/graphql';
import type { HostOptions, MeasuredRequest } from '@svc/http';
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import { createClient } from 'graphql-sse';
import { describe, expect, it, onTestFinished } from 'vitest';
import { place } from '../perspectives/perspective-shop.js';
import { expectSoon, host, noteService, watchNotes } from './live-notes.js';

const stream = { accept: 'text/event-stream' };
const complete = 'event: complete\ndata: \n\n';

interface Rejected {
  readonly errors: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

async function notes(more: GraphQLOptions = {}, options: HostOptions = {}): Promise<string> {
  const service = noteService();
  const url = await host(service, { graphql: graphQL(more), ...options });
  await place(service, 'a');
  await service.idle();
  return `${url}/graphql`;
}

async function post(url: string, body: unknown, headers: Record<string, string> = stream): Promise<Response> {
  return await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** The events of a stream until one of them has been received that often; then it is cancelled. */
async function eventsOf(response: Response, wanted = Infinity): Promise<string[]> {
  const events: string[] = [];
  let rest = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop()!;
    events.push(...blocks.filter((block) => block.startsWith('event: ')));
    if (events.length >= wanted) break;
  }
  return events;
}

/** The one result of a stream that was complete at once. */
async function onlyResult(response: Response): Promise<unknown> {
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  const text = await response.text();
  expect(text.endsWith(complete)).toBe(true);
  const [, result] = /^event: next\ndata: (.*)\n\n$/.exec(text.slice(0, -complete.length))!;
  return JSON.parse(result!) as unknown;
}

const codes = (rejected: unknown): string[] => (rejected as Rejected).errors.map(({ extensions }) => extensions.code);

describe('a stream of results', () => {
  it('has an event for each result, and headers that forbid caches, buffers and guesses', async () => {
    const url = await notes();
    const response = await post(url, { query: 'subscription { notes { changed { model { note } } } }' });
    const names = ['content-type', 'cache-control', 'x-accel-buffering', 'x-content-type-options'];
    expect(names.map((name) => response.headers.get(name))).toEqual([
      'text/event-stream; charset=utf-8',
      'private, no-store',
      'no',
      'nosniff',
    ]);
    expect(await eventsOf(response, 1)).toEqual([
      'event: next\ndata: {"data":{"notes":{"changed":[{"model":{"note":"a"}}]}}}',
    ]);
  });

  it('can be opened by GET, as EventSource does, but not by a page of another site', async () => {
    const url = await notes();
    const query = 'subscription ($size: Int) { notes(pageSize: $size) { keys } }';
    const address = `${url}?${new URLSearchParams({ query, variables: '{"size":5}' }).toString()}`;
    const [event] = await eventsOf(await fetch(address, { headers: stream }), 1);
    expect(event).toMatch(/^event: next\ndata: \{"data":\{"notes":\{"keys":\["[\w-]+"\]\}\}\}$/);
    const head = await fetch(address, { method: 'HEAD', headers: stream });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    // `fetch` would set the header itself.
    const status = await new Promise((resolve) => {
      get(address, { headers: { ...stream, 'sec-fetch-mode': 'no-cors' } }, (form) => {
        form.destroy();
        resolve(form.statusCode);
      });
    });
    expect(status).toBe(403);
    const mutation = await fetch(`${url}?query=mutation{x}`, { headers: stream });
    expect(codes(await onlyResult(mutation))).toEqual(['GRAPHQL_VALIDATION_FAILED']);
  });

  it('can come from clients that accept other formats as well, which get JSON for queries', async () => {
    const url = await notes();
    const all = { accept: 'application/graphql-response+json, application/json, text/event-stream, multipart/mixed' };
    const [event] = await eventsOf(await post(url, { query: watchNotes }, all), 1);
    expect(event).toContain('"note":"a"');
    const answer = await post(url, { query: '{ notes { items { note } } }' }, all);
    expect(answer.headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
    expect(await answer.json()).toEqual({ data: { notes: { items: [{ note: 'a' }] } } });
  });

  it('has the one result of a query for clients that accept nothing else', async () => {
    const url = await notes();
    const result = await onlyResult(await post(url, { query: '{ notes { items { note } } }' }));
    expect(result).toEqual({ data: { notes: { items: [{ note: 'a' }] } } });
  });

  it('uses aliases, fragments and variables in the selection', async () => {
    const query = `
      subscription ($withKey: Boolean!, $size: Int) { ...All }
      fragment All on Subscription { renamed: notes(pageSize: $size) { ...Changed } renamed: notes(pageSize: $size) { keys @skip(if: true) } }
      fragment Changed on NoteLiveList { __typename changed { key @include(if: $withKey) model { n: note } } }`;
    const url = await notes();
    for (const withKey of [false, true, false]) {
      const response = await post(url, { query, variables: { withKey, size: 3 } });
      const [event] = await eventsOf(response, 1);
      const key = withKey ? /"key":"[\w-]+",/ : /^$/;
      expect(event!.replace(key, '')).toBe(
        'event: next\ndata: {"data":{"renamed":{"__typename":"NoteLiveList","changed":[{"model":{"n":"a"}}]}}}',
      );
    }
  });
});

it('is not measured as a request: its duration says nothing', async () => {
  const measured: MeasuredRequest[] = [];
  const source = {
    contentType: 'text/plain',
    read: () => Promise.resolve(''),
    answered: (request: MeasuredRequest) => void measured.push(request),
  };
  const url = await notes({}, { metrics: { source } });
  await eventsOf(await post(url, { query: watchNotes }), 1);
  await onlyResult(await post(url, { query: '{ __typename }' }));
  await expectSoon(() => measured.length > 0);
  expect(measured).toMatchObject([{ method: 'POST', route: '/graphql', status: 200 }]);
});

it('does not retain the variables of its request, which can be large', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heapUsed = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const url = await notes();
  const readers = [await opened(url)];
  const before = heapUsed();
  for (let i = 0; i < 30; i++) readers.push(await opened(url));
  expect((heapUsed() - before) / 30).toBeLessThan(300_000);
  for (const reader of readers) reader.destroy();
});

/** A subscription with a large variable. `fetch` would hold the body as well. */
async function opened(url: string): Promise<ClientRequest> {
  const sent = sendRequest(url, { method: 'POST', headers: { 'content-type': 'application/json', ...stream } });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.end(JSON.stringify({ query: watchNotes, variables: { since: 'x'.repeat(900_000) } }));
  const [response] = await answered;
  await once(response, 'data');
  return sent;
}

describe('a request for a stream is rejected in the stream, so that clients do not repeat it', () => {
  it.each([
    ['not GraphQL', 'subscription {', 'GRAPHQL_PARSE_FAILED'],
    ['an unknown field', 'subscription { weather }', 'GRAPHQL_VALIDATION_FAILED'],
    ['several fields', 'subscription { notes { keys } note(id: "x") { note } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['several fields by aliases', 'subscription { a: notes { keys } b: notes { keys } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['only __typename', 'subscription { __typename }', 'GRAPHQL_VALIDATION_FAILED'],
    ['a skipped field', 'subscription { notes @skip(if: true) { keys } }', 'GRAPHQL_VALIDATION_FAILED'],
    [
      'a field in a fragment that may be skipped',
      'subscription ($no: Boolean!) { ...A @include(if: $no) } fragment A on Subscription { notes { keys } }',
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['a fragment of itself', 'subscription { ...A } fragment A on Subscription { ...A }', 'GRAPHQL_VALIDATION_FAILED'],
    [
      'a field in a skipped fragment',
      'subscription ($no: Boolean = false) { ... @include(if: $no) { notes { keys } } }',
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['an unknown argument', 'subscription { notes(page: 2) { keys } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['a missing argument', 'subscription { note { note } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['a missing variable', 'subscription ($id: ID!) { note(id: $id) { note } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['a page that is too large', 'subscription { notes(pageSize: 101) { keys } }', 'INVALID_REQUEST'],
    ['an unknown order', 'subscription { notes(sort: "colour") { keys } }', 'INVALID_REQUEST'],
    ['an event that is no id', 'subscription { notes(afterEvent: "x") { keys } }', 'INVALID_REQUEST'],
    ['too many levels', `subscription { ${'notes { '.repeat(20)} keys ${'}'.repeat(20)} }`, 'LIMIT_EXCEEDED'],
  ])('%s', async (_what, query, code) => {
    const url = await notes();
    const result = (await onlyResult(await post(url, { query }))) as Rejected;
    expect([codes(result)[0], 'data' in result]).toEqual([code, false]);
  });

  it('an invalid variable, a null where none is allowed, a malformed body and a batch', async () => {
    const url = await notes();
    const results: unknown[] = [];
    const filter = { note: { lt: { nested: true } } };
    for (const body of [
      { query: watchNotes, variables: { pageSize: 'many' } },
      { query: watchNotes, variables: { filter } },
      { query: 'subscription ($id: ID = "x") { note(id: $id) { note } }', variables: { id: null } },
      { query: watchNotes, variables: [] },
      '{',
      [{ query: watchNotes }],
    ])
      results.push(codes(await onlyResult(await post(url, body))));
    expect(results).toEqual([
      ['GRAPHQL_VALIDATION_FAILED'],
      ['INVALID_REQUEST'],
      ['GRAPHQL_VALIDATION_FAILED'],
      ['BAD_REQUEST'],
      ['MALFORMED_JSON'],
      ['BAD_REQUEST'],
    ]);
  });

  it('a document that is not persisted; a persisted subscription is served', async () => {
    const url = await notes({ persistedOperations: { operations: { watch: watchNotes } } });
    expect(codes(await onlyResult(await post(url, { query: watchNotes })))).toEqual(['PERSISTED_OPERATION_REQUIRED']);
    expect(codes(await onlyResult(await post(url, { documentId: 'x' })))).toEqual(['PERSISTED_OPERATION_NOT_FOUND']);
    const [event] = await eventsOf(await post(url, { documentId: 'watch' }), 1);
    expect(event).toContain('"note":"a"');
  });
});

describe('other requests for subscriptions', () => {
  it('need Accept: text/event-stream, and their own request', async () => {
    const url = await notes();
    for (const accept of ['application/json', '*/*', `text/event-stream, ${'x'.repeat(9_000)}`]) {
      const answer = await post(url, { query: watchNotes }, { accept });
      expect([answer.status, codes(await answer.json())]).toEqual([406, ['NOT_ACCEPTABLE']]);
    }
    const batch = await post(url, [{ query: watchNotes }, { query: '{ __typename }' }], {});
    expect(await batch.json()).toMatchObject([
      { errors: [{ extensions: { code: 'BAD_REQUEST' }, message: expect.stringContaining('own request') as string }] },
      { data: { __typename: 'Query' } },
    ]);
  });

  it('in the single connection mode are told to use distinct connections', async () => {
    const url = await notes();
    const reservation = await fetch(url, { method: 'PUT' });
    expect([reservation.status, reservation.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    expect(await reservation.text()).toContain('single connection mode');
    const token = { 'x-graphql-event-stream-token': 'x' };
    const tried = (await onlyResult(await post(url, { query: watchNotes }, { ...stream, ...token }))) as Rejected;
    expect(tried.errors[0]!.message).toContain('single connection mode');
    const client = createClient({ url, singleConnection: true, retryAttempts: 0 });
    onTestFinished(() => client.dispose());
    let error: unknown;
    client.subscribe(
      { query: watchNotes },
      { next: () => {}, complete: () => {}, error: (caught) => (error = caught) },
    );
    await expectSoon(() => error !== undefined);
    expect(String(error)).toContain('405');
  });
});

describe('the schema', () => {
  const schemaAt = async (url: string): Promise<ReturnType<typeof buildClientSchema>> => {
    const answer = await post(url, { query: getIntrospectionQuery() }, {});
    return buildClientSchema(((await answer.json()) as { data: IntrospectionQuery }).data);
  };

  it('shows subscriptions in an introspection', async () => {
    const schema = await schemaAt(await notes());
    expect(Object.keys(schema.getSubscriptionType()!.getFields())).toEqual(['note', 'notes']);
  });

  it('has no subscriptions, nor their types, on a host without live queries', async () => {
    const url = await notes({}, { live: false });
    const schema = await schemaAt(url);
    expect([schema.getSubscriptionType(), schema.getType('NoteLiveList')]).toEqual([null, undefined]);
    const result = (await onlyResult(await post(url, { query: 'subscription { notes { keys } }' }))) as Rejected;
    expect(result.errors[0]!.message).toBe('The schema has no subscription.');
    expect(await onlyResult(await post(url, { query: '{ notes { items { note } } }' }))).toEqual({
      data: { notes: { items: [{ note: 'a' }] } },
    });
  });
});
