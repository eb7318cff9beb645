/** Chooses the framing of a request on its connection. `send/wire.mjs` writes it. */
const framings = [
  // A chunked body, with odd sizes and extensions, is as valid as one with a length.
  [
    5,
    (random) => ({
      kind: 'chunked',
      sizes: [random.between(1, 7), random.between(1, 300)],
      extension: random.pick(['', ';x', ';a="b"']),
    }),
  ],
  // The parts of a request arrive one by one.
  [
    5,
    (random) => ({ kind: 'length', splitAt: Array.from({ length: random.between(1, 4) }, () => random.below(2000)) }),
  ],
  [2, () => ({ kind: 'chunked', sizes: [1], extension: '', trailer: 'x-trailer: 1\r\n' })],
  [1, () => ({ kind: 'length', version: 'HTTP/1.0' })],
  // The service reads the first part as the body and must answer it, whatever follows.
  [2, (random) => ({ kind: 'shorter', by: random.between(1, 20) })],
  // Never complete: the connection is closed after it.
  [2, (random) => ({ kind: 'longer', by: random.pick([1, 100, 1_000_000_000]) })],
  [1, () => ({ kind: 'cut-chunk' })],
  [1, () => ({ kind: 'broken-chunk' })],
  [
    1,
    (random) => ({
      kind: 'bad-length',
      length: random.pick(['x', '-1', '1e3', '+5', '0x10', '', '99999999999999999999']),
    }),
  ],
  [1, () => ({ kind: 'length-and-chunked' })],
  [
    1,
    (random) => ({
      kind: 'encoding',
      encoding: random.pick(['gzip, chunked', 'identity', 'chunked, chunked', 'x', 'chunked, gzip']),
    }),
  ],
  [1, () => ({ kind: 'none' })],
  [1, (random) => ({ kind: 'length', padding: random.pick([1_048_570, 1_048_577, 1_500_000]) })],
];

export function mutateFraming(request, random) {
  request.framing = random.weighted(framings)(random);
}
