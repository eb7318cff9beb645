import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { AnswerReader, committedCommands, type Answer, type SentRequest } from '../../tools/fuzz/index.mjs';

describe('the reader of answers', () => {
  const texts = [
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nx: 1\r\nX: 2\r\n\r\nab',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 Not Found\r\ntransfer-encoding: chunked\r\n\r\n1\r\nc\r\n2\r\nde\r\n0\r\n\r\n',
    'HTTP/1.1 204 No Content\r\n\r\n',
  ];

  it.each([1, 2, 3, 7, 1_000])('reads answers that arrive in parts of %i bytes', (size) => {
    const reader = new AnswerReader();
    const bytes = Buffer.from(texts.join(''));
    const read: [number, string][] = [];
    for (let at = 0; at < bytes.length; at += size) {
      let answer = reader.push(bytes.subarray(at, at + size));
      for (; answer !== null; answer = reader.push(Buffer.alloc(0))) read.push([answer.status, answer.body.toString()]);
    }
    expect(read).toEqual([
      [200, 'ab'],
      [404, 'cde'],
      [204, ''],
    ]);
    expect(reader.isEmpty).toBe(true);
  });

  it('ends the answer of a live query after its first event', () => {
    const reader = new AnswerReader();
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
    const event = 'id: x.1\nevent: page\ndata: {}\n\n';
    expect(reader.push(Buffer.from(`${head}a\r\nretry: 1\n\n\r\n`))).toBeNull();
    const answer = reader.push(Buffer.from(`${event.length.toString(16)}\r\n${event}\r\n`));
    expect(answer).toMatchObject({ status: 200, isEndless: true, body: Buffer.from(`retry: 1\n\n${event}`) });
  });

  it('joins headers that repeat, and expects no body after HEAD', () => {
    const reader = new AnswerReader();
    reader.isHead = true;
    const answer = reader.push(Buffer.from('HTTP/1.1 200 OK\r\nx: 1\r\nX: 2\r\ncontent-length: 99\r\n\r\n'));
    expect(answer).toMatchObject({ headers: { x: '1, 2' }, body: Buffer.alloc(0) });
  });

  it.each([
    ['HTTP/2 200\r\n\r\n', /status line/],
    ['HTTP/1.1 200 OK\r\nbad header\r\n\r\n', /header/],
    ['HTTP/1.1 200 OK\r\ncontent-length: 1.5\r\n\r\n', /length/],
    ['HTTP/1.1 200 OK\r\n\r\n', /length/],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', /chunk/],
  ])('rejects %j', (text, message) => {
    expect(() => new AnswerReader().push(Buffer.from(text))).toThrow(message);
  });
});

describe('the commands that a response reports', () => {
  const schema = buildSchema('type Query { q: Int } type Mutation { a: Int! b: Int! void: Int }');
  const committed = (body: unknown, result: unknown, headers: Record<string, string> = { 'svc-last-event': 'x' }) => {
    const request: SentRequest = { method: 'POST', target: '/', headers: [], body: Buffer.from(JSON.stringify(body)) };
    const answer: Answer = { status: 200, headers, body: Buffer.from(JSON.stringify(result)) };
    return committedCommands(request, answer, schema);
  };
  const failing = (...keys: string[]) => keys.map((key) => ({ path: [key] }));

  it('are one for a 200 to a POST over REST, and none for a replay or another status', () => {
    const request: SentRequest = { method: 'POST', target: '/', headers: [], body: Buffer.from('{}') };
    const answer: Answer = { status: 200, headers: {}, body: Buffer.from('null') };
    expect(committedCommands(request, answer, schema)).toBe(1);
    expect(committedCommands({ ...request, method: 'GET' }, answer, schema)).toBe(0);
    expect(committedCommands(request, { ...answer, status: 422 }, schema)).toBe(0);
    expect(committedCommands(request, { ...answer, headers: { 'idempotency-replayed': 'true' } }, schema)).toBe(0);
  });

  it.each([
    ['one mutation', 'mutation { a }', { data: { a: 1 } }, 1],
    ['a query', '{ q }', { data: { q: 1 } }, 0],
    [
      'mutations of which one failed that may be null',
      'mutation { a void b }',
      { data: { a: 1, void: null, b: 1 }, errors: failing('void') },
      2,
    ],
    ['mutations of which the second failed', 'mutation { a x: b b }', { data: null, errors: failing('x') }, 1],
    ['mutations of which two failed', 'mutation { void a b }', { data: null, errors: failing('void', 'b') }, 1],
    ['a mutation in a fragment', 'mutation { ...F b } fragment F on Mutation { a }', { data: { a: 1, b: 1 } }, 2],
    ['a mutation that is skipped', 'mutation { a @skip(if: true) b __typename }', { data: { b: 1 } }, 1],
    ['a mutation twice under one name', 'mutation { a a }', { data: { a: 1 } }, 1],
    ['a document that is not executed', 'mutation { a', { errors: [{ message: 'no' }] }, 0],
  ])('are counted for %s', (_name, query, result, count) => {
    expect(committed({ query }, result)).toBe(count);
  });

  it('are those of all operations in a batch', () => {
    const results = [{ data: { a: 1 } }, { errors: [{ message: 'no' }] }, { data: { a: 1, b: 1 } }];
    expect(committed([{ query: 'mutation { a }' }, null, { query: 'mutation { a b }' }], results)).toBe(3);
  });

  it('are those of a result in a stream, and none if it is an error', () => {
    const body = Buffer.from(JSON.stringify({ query: 'mutation { a b }' }));
    const request: SentRequest = { method: 'POST', target: '/graphql', headers: [], body };
    const stream = (result: object): Answer => ({
      status: 200,
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'svc-last-event': 'x' },
      body: Buffer.from(`event: next\ndata: ${JSON.stringify(result)}\n\nevent: complete\ndata: \n\n`),
    });
    expect(committedCommands(request, stream({ data: { a: 1, b: 1 } }), schema)).toBe(2);
    expect(committedCommands(request, stream({ errors: [{ message: 'no' }] }), schema)).toBe(0);
  });

  it('are none when the answer names no event', () => {
    expect(committed({ query: 'mutation { a }' }, { data: { a: 1 } }, {})).toBe(0);
  });

  it('are those of the operation that is named', () => {
    const query = 'mutation A { a } mutation B { a b }';
    expect(committed({ query, operationName: 'B' }, { data: { a: 1, b: 1 } })).toBe(2);
  });
});
