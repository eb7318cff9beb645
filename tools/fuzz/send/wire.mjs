/** Writes a request as bytes. */

/** The maximum size of a body that the service reads. */
const bodyLimit = 2 ** 20;

/** The bytes of a request, and the expected response. */
export function wireOf({ method, target, headers, body, framing = { kind: 'length' } }) {
  const { version = 'HTTP/1.1', splitAt = [] } = framing;
  const framed = framedBody(body, framing);
  const asksForUpgrade = headers.some(([name]) => name === 'upgrade');
  const lines = [...headers.map(([name, value]) => `${name}: ${value}`), ...framed.headers];
  const head = Buffer.from(`${method} ${target} ${version}\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return {
    parts: cut(Buffer.concat([head, ...framed.bytes]), splitAt),
    isHead: method === 'HEAD',
    // A body above the limit is answered before it is sent completely, and the connection closed: the response may get lost.
    mustAnswer: framed.mustAnswer ?? (body === null || body.length <= bodyLimit),
    // The service would wait for the rest, which never comes. With an upgrade that it ignores, Node 20 also waits for the rest of a body that
    // it cannot parse, until the request timeout.
    endsEarly: framed.endsEarly ?? (asksForUpgrade && framed.mustAnswer === false),
    // Bytes after the response do not belong to the next request. After an ignored upgrade, Node 20 never answers a request that it
    // cannot parse.
    endsAfter: framed.endsAfter ?? asksForUpgrade,
  };
}

function framedBody(body, framing) {
  if (body === null) return { headers: [], bytes: [] };
  const length = (bytes) => [`content-length: ${bytes}`];
  switch (framing.kind) {
    case 'chunked':
      return { headers: ['transfer-encoding: chunked'], bytes: chunks(body, framing) };
    case 'shorter':
      return { headers: length(Math.max(0, body.length - framing.by)), bytes: [body], endsAfter: true };
    case 'longer':
      return { headers: length(body.length + framing.by), bytes: [body], mustAnswer: false, endsEarly: true };
    case 'cut-chunk':
      return {
        headers: ['transfer-encoding: chunked'],
        bytes: [sizeLine(body.length + 9), body],
        mustAnswer: false,
        endsEarly: true,
      };
    case 'broken-chunk':
      return {
        headers: ['transfer-encoding: chunked'],
        bytes: [Buffer.from('zz\r\n'), body],
        mustAnswer: false,
        endsAfter: true,
      };
    case 'bad-length':
      return { headers: [`content-length: ${framing.length}`], bytes: [body], mustAnswer: false, endsAfter: true };
    case 'length-and-chunked':
      return {
        headers: [...length(body.length), 'transfer-encoding: chunked'],
        bytes: chunks(body, { sizes: [50] }),
        mustAnswer: false,
        endsAfter: true,
      };
    case 'encoding':
      return {
        headers: [`transfer-encoding: ${framing.encoding}`],
        bytes: chunks(body, { sizes: [50] }),
        endsAfter: true,
      };
    case 'none':
      return { headers: [], bytes: [] };
    default: {
      const padding = Buffer.alloc(Math.max(0, (framing.padding ?? 0) - body.length), ' ');
      return { headers: length(body.length + padding.length), bytes: [body, padding] };
    }
  }
}

function chunks(body, { sizes, extension = '', trailer = '' }) {
  const parts = [];
  for (let at = 0, i = 0; at < body.length; i++) {
    const part = body.subarray(at, at + sizes[i % sizes.length]);
    parts.push(sizeLine(part.length, extension), part, Buffer.from('\r\n'));
    at += part.length;
  }
  return [...parts, Buffer.from(`0\r\n${trailer}\r\n`)];
}

function sizeLine(size, extension = '') {
  return Buffer.from(`${size.toString(16)}${extension}\r\n`);
}

function cut(bytes, splitAt) {
  const places = splitAt.filter((at) => at > 0 && at < bytes.length).toSorted((a, b) => a - b);
  return [0, ...places].map((at, i) => bytes.subarray(at, places[i] ?? bytes.length));
}
