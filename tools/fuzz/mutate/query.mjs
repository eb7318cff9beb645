/** Changes the query string of a request. */
const names = [
  'page',
  'pageSize',
  'sort',
  'after',
  'afterEvent',
  'filter[key]',
  'filter[key][in]',
  'filter[status]',
  'filter[paidAmount][gte]',
  'filter[placedAt][lt]',
  'filter',
  'filter[]',
  'filter[__proto__]',
  'filter[key][__proto__]',
  'filter[key][like]',
  'filter[tenantId]',
  'filter[owner]',
  '__proto__',
  'constructor',
  '',
  'x',
];

const texts = [
  '',
  '0',
  '-1',
  '1',
  '1.5',
  '1e3',
  '101',
  '9999999',
  '99999999999999999999',
  'NaN',
  'true',
  'null',
  "'",
  "' OR 1=1 --",
  '%',
  '_',
  '\0',
  '\ud800',
  '\uffff',
  '😀',
  '-',
  '--key',
  '-key,-key',
  'key;DROP',
  'open',
  '2026-01-01T00:00:00Z',
  '2026-13-01',
  '1e400',
  '-0',
  '00000000-0000-0000-0000-000000000001',
];

const ways = [
  [5, (query, random, values) => [...query, [random.pick(names), hostileText(random, values)]]],
  [4, (query, random, values) => withValue(query, random, () => hostileText(random, values))],
  [3, (query, random) => withValue(query, random, (text) => flipped(text, random))],
  [2, (query, random) => withValue(query, random, (text) => text + random.pick(texts))],
  [2, (query, random) => (query.length === 0 ? query : [...query, random.pick(query)])],
  [2, (query, random, values) => [...query, ['afterEvent', values.event()]]],
  [2, (query, random, values) => [...query, ['after', flipped(values.pageToken(), random)]]],
  [2, (query, random, values) => [...query, ['after', values.pageToken()]]],
  [
    1,
    (query, random) => [
      ...query,
      ...Array.from({ length: random.pick([99, 101, 900]) }, (_, i) => ['filter[key][in]', `k${i}`]),
    ],
  ],
  [
    1,
    (query, random) => [...query, ...Array.from({ length: random.pick([100, 1500]) }, () => [random.pick(names), '1'])],
  ],
  [1, (query) => query.map(([name, text]) => [name.toUpperCase(), text])],
];

export function mutateQuery(request, random, values) {
  for (let times = random.between(1, 2); times > 0; times--) {
    request.query = random.weighted(ways)(request.query, random, values);
  }
  // A raw query that no client would write.
  if (random.chance(0.1))
    request.rawQuery = random.pick([
      '%',
      '%zz=1',
      'a=%ff',
      '&&&',
      '=',
      'page',
      'page=1=2',
      'filter[',
      'filter[key',
      '?page=1',
      'a'.repeat(9000),
      '[]'.repeat(500),
    ]);
}

function hostileText(random, values) {
  return random.weighted([
    [10, () => random.pick(texts)],
    [2, () => 'x'.repeat(random.pick([400, 401, 3000]))],
    [1, () => '9'.repeat(random.pick([17, 400, 1001, 3000]))],
    [2, () => values.id('orderId')],
    [1, () => values.date()],
  ])();
}

function withValue(query, random, change) {
  if (query.length === 0) return [['page', change('1')]];
  const at = random.below(query.length);
  return query.with(at, [query[at][0], change(query[at][1])]);
}

function flipped(text, random) {
  if (text === '') return random.hex(2);
  const at = random.below(text.length);
  return text.slice(0, at) + String.fromCharCode(33 + random.below(90)) + text.slice(at + 1);
}
