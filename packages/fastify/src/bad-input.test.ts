import Fastify from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { svc } from './plugin.js';
import { listen, post, sendRaw } from './testing/http.js';
import { orderBody, orderService } from './testing/order-service.js';

const app = Fastify();
const service = orderService();
let port: number;

beforeAll(async () => {
  await app.register(svc(service));
  port = await listen(app);
});

afterAll(async () => {
  await app.close();
  await service.stop();
});

afterEach(async () => {
  const { status } = await post(port, orderBody());
  if (status !== 200) throw new Error(`A good order after a bad one was answered with ${status}.`);
});

const malformed = (detail: unknown): object => ({ type: 'urn:svc:problem:malformed-json', status: 400, detail });
const invalid = (...errors: [pointer: string, detail: string][]): object => ({
  type: 'urn:svc:problem:invalid-request',
  status: 400,
  errors: errors.map(([pointer, detail]) => ({ pointer, detail })),
});
const unsupported = { type: 'urn:svc:problem:unsupported-media-type', status: 415 };
const tooLarge = { type: 'urn:svc:problem:content-too-large', status: 413 };

describe('a body that is not JSON', () => {
  it.each([
    ['cut off', '{"customerId":'],
    ['single quotes', "{'a':1}"],
    ['a trailing comma', '{"a":1,}'],
    ['two values', '{} {}'],
    ['NaN', '{"a":NaN}'],
    ['a byte order mark', '\uFEFF{}'],
    ['only spaces', '   '],
    ['HTML', '<script>alert(1)</script>'],
  ])('is rejected: %s', async (_name, body) => {
    const answer = await post(port, body);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(answer.json).toMatchObject(malformed(expect.stringMatching(/^The body is not JSON: ./)));
  });

  it('is rejected if it is empty, with and without a content type', async () => {
    expect((await post(port, '')).json).toMatchObject(malformed('The body is empty.'));
    const head = 'POST /orders HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';
    expect((await sendRaw(port, head)).json).toMatchObject(invalid(['', 'must be an object']));
  });

  it.each([
    ['a byte that never occurs', [0x22, 0xff, 0x22]],
    ['a cut sequence', [0x22, 0xe2, 0x82, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['half a surrogate pair', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ])('is rejected if it is not UTF-8: %s', async (_name, bytes) => {
    const answer = await post(port, Uint8Array.from(bytes));
    expect(answer.json).toMatchObject(malformed('The body is not valid UTF-8.'));
  });
});

describe('JSON that does not match the command', () => {
  it.each(['null', '1', '"x"', '[]', 'true', '[{}]'])('is rejected: %s', async (body) => {
    expect((await post(port, body)).json).toMatchObject(invalid(['', 'must be an object']));
  });

  it('is rejected with all errors, at every depth, in one response', async () => {
    const answer = await post(
      port,
      orderBody({
        customerId: 'me',
        lineItems: [
          { productId: 7, quantity: 1.5, unitPrice: '1,00' },
          'a pen',
          { productId: 'pen', quantity: 0, unitPrice: true, colour: 'red' },
        ],
        shippingAddress: { street: null, city: 'Springfield', state: ['IL'] },
        'a/b~c': 1,
      }),
    );
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject(
      invalid(
        ['/customerId', 'must be a UUID'],
        ['/lineItems/0/productId', 'must be a string'],
        ['/lineItems/0/quantity', 'must be an integer'],
        ['/lineItems/0/unitPrice', 'must be a decimal number, as a string such as "12.50"'],
        ['/lineItems/1', 'must be an object'],
        ['/lineItems/2/quantity', 'must be at least 1'],
        ['/lineItems/2/unitPrice', 'must be a decimal number, as a string such as "12.50"'],
        ['/lineItems/2/colour', 'is not a known property'],
        ['/shippingAddress/street', 'must be a string'],
        ['/shippingAddress/state', 'must be a string'],
        ['/shippingAddress/zipCode', 'is required'],
        ['/a~1b~0c', 'is not a known property'],
      ),
    );
  });

  it.each(['__proto__', 'constructor'])('is rejected for the key %s, at the top and inside free JSON', async (key) => {
    const text = JSON.stringify(orderBody());
    const atTop = await post(port, `{"${key}":{"polluted":true},${text.slice(1)}`);
    expect(atTop.json).toMatchObject(invalid([`/${key}`, 'is not a known property']));
    const inside = await post(port, `{"attributes":{"deep":[{"${key}":{"polluted":true}}]},${text.slice(1)}`);
    expect(inside.json).toMatchObject(invalid([`/attributes/deep/0/${key}`, 'is not allowed as a key']));
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('is rejected for half a surrogate pair, which could not be stored', async () => {
    const body = JSON.stringify(orderBody()).replace('1 Main Street', String.raw`\ud83d Street`);
    expect((await post(port, body)).json).toMatchObject(
      invalid(['/shippingAddress/street', 'must not contain half a surrogate pair']),
    );
  });

  it('is rejected for ten thousand levels of nesting, in declared and undeclared properties', async () => {
    const deep = (open: string, close: string): string => open.repeat(10_000) + close.repeat(10_000);
    const text = JSON.stringify(orderBody());
    const inFree = await post(port, `{"attributes":${deep('[', ']')},${text.slice(1)}`);
    expect(inFree.status).toBe(400);
    expect(inFree.json).toMatchObject({
      errors: [{ detail: 'must not be nested more than 100 levels deep' }],
    });
    const unknown = await post(port, `{"unknown":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)},${text.slice(1)}`);
    expect(unknown.json).toMatchObject(invalid(['/unknown', 'is not a known property']));
    expect((await post(port, deep('[', ']'))).json).toMatchObject(invalid(['', 'must be an object']));
    expect((await post(port, '['.repeat(10_000))).status).toBe(400);
  });

  it('limits the size of the response, however many errors there are', async () => {
    const items = Array.from({ length: 20_000 }, () => ({ x: 1 }));
    const answer = await post(port, orderBody({ lineItems: items, ['k'.repeat(50_000)]: 1 }));
    expect(answer.status).toBe(400);
    expect((answer.json as { errors: unknown[] }).errors).toHaveLength(100);
    expect(answer.text.length).toBeLessThan(20_000);
  });
});

describe('numbers', () => {
  const priced = (unitPrice: string): string =>
    JSON.stringify(orderBody({ lineItems: [{ productId: 'p', quantity: 1, unitPrice: 0 }] })).replace(
      '"unitPrice":0',
      `"unitPrice":${unitPrice}`,
    );
  const digits = '123456789012345678901234567890.123456789012345678901234567890';

  it('are exact as decimal strings of up to 1,000 characters', async () => {
    for (const exact of [digits, '9'.repeat(1_000)])
      expect((await post(port, priced(`"${exact}"`))).json).toMatchObject({ total: exact });
  });

  it.each([1_001, 900_000])('are rejected as decimal strings of %i characters, with the limit', async (length) => {
    const started = performance.now();
    expect((await post(port, priced(`"${'9'.repeat(length)}"`))).json).toMatchObject(
      invalid(['/lineItems/0/unitPrice', 'must have at most 1000 characters']),
    );
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('cannot be made longer by an exponent', async () => {
    for (const short of ['"1e2000"', '"1E+5"'])
      expect((await post(port, priced(short))).json).toMatchObject(
        invalid(['/lineItems/0/unitPrice', 'must be a decimal number, as a string such as "12.50"']),
      );
    const { total } = (await post(port, priced('-5e-324'))).json as { total: string };
    expect(total).toHaveLength('-0.'.length + 324);
  });

  it('are exact as JSON numbers, or rejected', async () => {
    expect((await post(port, priced('12.5'))).json).toMatchObject({ total: '12.5' });
    for (const lossy of [digits, '0.1000000000000000055', '9007199254740993', '1e400']) {
      expect((await post(port, priced(lossy))).json).toMatchObject(
        invalid(['/lineItems/0/unitPrice', 'has more digits than a JSON number can carry; send it as a string']),
      );
    }
  });

  it.each([
    ['9007199254740993', 'must be an integer between -9007199254740991 and 9007199254740991'],
    ['1e400', 'must be an integer'],
  ])('beyond the range of exact integers are rejected: %s', async (quantity, detail) => {
    const body = JSON.stringify(orderBody({ lineItems: [{ productId: 'p', quantity: 0, unitPrice: '1' }] }));
    const answer = await post(port, body.replace('"quantity":0', `"quantity":${quantity}`));
    expect(answer.json).toMatchObject(invalid(['/lineItems/0/quantity', detail]));
  });
});

describe('the content type', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json ; CharSet="Utf-8"',
    'application/json; profile="https://example.com/a;charset=latin1"',
  ])('is accepted: %s', async (type) => {
    expect((await post(port, orderBody(), { 'content-type': type })).status).toBe(200);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/merge-patch+json',
    'application/jsonp',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; charset="utf-8"; charset=latin1',
    'application/json; charset=',
    'json',
    ';',
  ])('is rejected: %s', async (type) => {
    const answer = await post(port, orderBody(), { 'content-type': type });
    expect(answer.json).toMatchObject(unsupported);
    expect(answer.status).toBe(415);
  });

  it.each([
    ['spaces after charset=', `application/json; charset=${' '.repeat(15_000)}x y`],
    ['semicolons', `application/json${';'.repeat(15_000)}x`],
    ['quotes', `application/json; a=${'"'.repeat(15_000)}`],
    ['an open quoted string full of escapes', `application/json; a="${String.raw`\"`.repeat(7_000)}`],
    ['parameters', `application/json${';a=b'.repeat(3_500)}`],
  ])('is rejected quickly if it is 15 KB of %s', async (_name, type) => {
    const started = performance.now();
    const answer = await post(port, orderBody(), { 'content-type': type });
    expect(performance.now() - started).toBeLessThan(500);
    expect(answer.json).toMatchObject(unsupported);
  });

  it('is required for a body', async () => {
    const answer = await sendRaw(port, 'POST /orders HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}');
    expect(answer.json).toMatchObject(unsupported);
  });
});

describe('the size of a body', () => {
  const limit = 1024 * 1024;
  const sized = (bytes: number): string => {
    const empty = JSON.stringify(orderBody({ attributes: '' })).length;
    return JSON.stringify(orderBody({ attributes: 'x'.repeat(bytes - empty) }));
  };
  const head = (length: string): string =>
    `POST /orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;
  const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

  it('may be 1 MiB exactly', async () => {
    expect(sized(limit)).toHaveLength(limit);
    expect((await post(port, sized(limit))).status).toBe(200);
    const answer = await sendRaw(port, head('Transfer-Encoding: chunked'), chunked(sized(limit)));
    expect(answer.status).toBe(200);
  });

  it('must not exceed the limit by a byte, with and without Content-Length', async () => {
    const body = sized(limit + 1);
    const announced = await sendRaw(port, head(`Content-Length: ${limit + 1}`), body);
    expect(announced.json).toMatchObject(tooLarge);
    expect(announced.status).toBe(413);
    const unannounced = await sendRaw(port, head('Transfer-Encoding: chunked'), chunked(body));
    expect(unannounced.json).toMatchObject(tooLarge);
  });

  it('is rejected as soon as Content-Length exceeds the limit', async () => {
    expect((await sendRaw(port, head('Content-Length: 1000000000000'))).json).toMatchObject(tooLarge);
  });

  it('is reported to a client that sends the whole body before it reads', async () => {
    expect((await post(port, sized(limit + 1))).status).toBe(413);
    expect((await post(port, sized(4 * limit))).status).toBe(413);
  });

  it('is configurable', async () => {
    const small = Fastify();
    await small.register(svc(orderService(), { bodyLimit: 400 }));
    const smallPort = await listen(small);
    expect((await post(smallPort, sized(400))).status).toBe(200);
    expect((await post(smallPort, sized(401))).status).toBe(413);
    await small.close();
  });
});
