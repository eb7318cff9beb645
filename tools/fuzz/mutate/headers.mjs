/** Changes the headers of a request, except credentials and framing. */
import { keyOf } from '../generate/rest.mjs';

const contentTypes = [
  'application/json; charset=utf-8',
  'application/json; charset=UTF-8',
  'application/json;charset="utf-8"',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json; charset=utf-8; charset=utf-16',
  'application/json;',
  'APPLICATION/JSON',
  'application/problem+json',
  'application/graphql',
  'application/graphql-response+json',
  'application/xml',
  'text/plain',
  'text/json',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/json, text/plain',
  '*/*',
  '',
  '/',
  ';',
  'application/json\tx',
];

const traceparents = [
  '00-00000000000000000000000000000000-0000000000000000-01',
  'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  '00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01',
  '01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more',
  '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more',
  'x',
  '',
];

/** Node answers 431 above 16 KiB of headers. */
const lengths = [1, 255, 256, 257, 4096, 8193, 12_000, 15_500, 17_000];

const ways = [
  [6, (request, random) => replaced(request, 'content-type', random.pick(contentTypes))],
  [1, (request) => without(request, 'content-type')],
  [2, (request, random) => [...request.headers, ['content-type', random.pick(contentTypes)]]],
  [4, (request, random) => replaced(request, 'idempotency-key', hostileKey(random))],
  [
    1,
    (request, random) => [...request.headers, ['idempotency-key', keyOf(random)], ['Idempotency-Key', keyOf(random)]],
  ],
  [3, (request, random) => replaced(request, 'prefer', hostilePreference(random))],
  [2, (request, random) => replaced(request, 'traceparent', random.pick(traceparents))],
  [4, (request, random, tenant) => replaced(request, 'svc-tenant', hostileTenant(random, tenant))],
  [
    2,
    (request, random) =>
      replaced(
        request,
        'accept',
        random.pick(['', 'text/html', 'application/graphql-response+json', '*/*;q=0', ',,,']),
      ),
  ],
  [
    1,
    (request, random) => replaced(request, 'accept-encoding', random.pick(['gzip', 'identity;q=0', 'br;q=1e400', '*'])),
  ],
  [2, (request, random) => [...request.headers, [`x-${random.hex(8)}`, random.hex(random.pick(lengths))]]],
  [
    1,
    (request, random) => [
      ...request.headers,
      ...Array.from({ length: random.pick([10, 100, 1990, 2100]) }, () => ['a', '']),
    ],
  ],
  [
    1,
    (request, random) =>
      replaced(request, 'host', random.pick(['', 'localhost', '[::1]:80', 'a'.repeat(300), 'x@y', '127.0.0.1:99999'])),
  ],
  [1, (request) => without(request, 'host')],
  [1, (request, random) => replaced(request, 'expect', random.pick(['100-continue', '100-Continue', 'x', '']))],
  [
    1,
    (request, random) =>
      replaced(request, 'connection', random.pick(['close', 'keep-alive', 'upgrade', 'x', 'keep-alive, close'])),
  ],
  [
    1,
    (request, random) => [
      ...request.headers,
      ['connection', 'Upgrade'],
      ['upgrade', random.pick(['websocket', 'h2c', 'x'])],
    ],
  ],
  [
    1,
    (request, random) => [
      ...request.headers,
      [
        random.pick([
          'content-encoding',
          'te',
          'trailer',
          'forwarded',
          'x-forwarded-for',
          'x-http-method-override',
          'if-none-match',
          'range',
          'cookie',
          'origin',
        ]),
        random.pick(['gzip', '*', 'trailers', 'DELETE', '127.0.0.1', 'bytes=0-', 'a=b; a=c', 'null']),
      ],
    ],
  ],
  [
    2,
    (request, random) => [
      ...request.headers,
      [random.pick(['__proto__', 'constructor', 'x-é', 'x', 'x_y', 'x!']), 'é\u00ff ü'],
    ],
  ],
];

export function mutateHeaders(request, random, tenant) {
  request.headers = random.weighted(ways)(request, random, tenant);
}

function hostileKey(random) {
  return random.pick([
    keyOf(random),
    '',
    ' ',
    'a b',
    'é',
    'x'.repeat(random.pick([255, 256, 5000])),
    '__proto__',
    '{}',
    '"k"',
  ]);
}

/** Never adds a wait: a request that asks to wait may be slow. */
function hostilePreference(random) {
  return random.pick([
    'wait=0',
    'wait="0"',
    'WAIT=0',
    'respond-async, wait=0',
    'wait=0; foo',
    'wait =0',
    'return=minimal, wait=0',
    ','.repeat(500) + 'wait=0',
  ]);
}

function hostileTenant(random, tenant) {
  return random.pick([
    tenant.id,
    tenant.other.id,
    tenant.other.id.toUpperCase(),
    '',
    ' ',
    '*',
    '__proto__',
    'x'.repeat(random.pick([200, 5000])),
    `${tenant.id},${tenant.other.id}`,
  ]);
}

function replaced({ headers }, name, value) {
  return [...headers.filter(([other]) => other !== name), [name, value]];
}

function without({ headers }, name) {
  return headers.filter(([other]) => other !== name);
}
