/** Changes the method and the path of a request. CONNECT is excluded: Node closes such connections without a response. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'M-SEARCH', 'QUERY'];

const segments = [
  '..',
  '.',
  '%2e%2e',
  '%2F',
  '%5C',
  '%00',
  '%',
  '%zz',
  '%c0%af',
  '%ff',
  '%F0%9F%98%80',
  '%E2%80%AE',
  ':id',
  '*',
  '__proto__',
  'constructor',
  ';a=b',
  '@',
  "'",
  '"',
  '{id}',
  'null',
  'undefined',
  '00000000-0000-0000-0000-000000000001',
];

const ways = [
  [4, (request, random) => void (request.method = random.pick(methods))],
  [1, (request) => void (request.method = request.method.toLowerCase())],
  [3, (request, random) => void (request.path += `/${random.pick(segments)}`)],
  [2, (request, random) => void (request.path = `/${random.pick(segments)}${request.path}`)],
  [3, (request, random) => void (request.path = withSegment(request.path, random, () => random.pick(segments)))],
  [2, (request, random) => void (request.path = withSegment(request.path, random, (segment) => encoded(segment)))],
  [2, (request, random) => void (request.path = withSegment(request.path, random, (segment) => `${segment}%20`))],
  [1, (request) => void (request.path = request.path.toUpperCase())],
  [2, (request, random) => void (request.path += random.pick(['/', '//', '/.', '#fragment', ';x', '?', '??', '&']))],
  [1, (request) => void (request.path = `/${request.path}`)],
  [1, (request, random) => void (request.path += `/${'a'.repeat(random.pick([99, 100, 101, 2000, 14_000]))}`)],
  [1, (request, random) => void (request.path += '/a'.repeat(random.pick([50, 2000])))],
  [1, (request) => void (request.path = `http://127.0.0.1${request.path}`)],
  [
    1,
    (request, random) =>
      void (request.path = random.pick(['*', 'x', '/', '//', '/\u00e9', '/%', 'http://', 'http://[', '/?', '/#'])),
  ],
  [2, (request, random, paths) => void (request.path = random.pick(paths))],
];

/** `paths` are those of other operations, so that a body may reach another route. */
export function mutateTarget(request, random, paths) {
  random.weighted(ways)(request, random, paths);
}

function withSegment(path, random, change) {
  const parts = path.split('/');
  const at = random.below(parts.length);
  return parts.with(at, change(parts[at])).join('/');
}

function encoded(segment) {
  return Buffer.from(segment).toString('hex').replace(/../g, '%$&');
}
