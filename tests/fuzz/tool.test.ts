import { describe, expect, it } from 'vitest';
import { readOptions, shrunk, type SentRequest } from '../../tools/fuzz/index.mjs';

const request: SentRequest = {
  method: 'POST',
  target: '/orders?page=1',
  headers: [
    ['host', 'x'],
    ['a', '1'],
    ['b', '2'],
  ],
  body: Buffer.from('{"one":1,"two":"needle","three":[1,2,3]}'),
  framing: { kind: 'chunked' },
};

describe('shrinking', () => {
  it('retains what causes the failure', async () => {
    const small = await shrunk(request, ({ headers, body }) =>
      Promise.resolve(body!.includes('needle') && headers.some(([name]) => name === 'b')),
    );
    expect({ ...small, body: small.body!.toString() }).toEqual({
      method: 'POST',
      target: '/orders',
      headers: [['b', '2']],
      body: 'needle',
      framing: undefined,
    });
  });

  it('does not reduce a request that does not fail again, and sends at most 150', async () => {
    let sent = 0;
    expect(await shrunk(request, () => Promise.resolve(++sent > 1_000))).toBe(request);
    expect(sent).toBe(1);
    sent = 0;
    const large = { ...request, body: Buffer.alloc(100_000, 'x') };
    await shrunk(large, ({ body }) => Promise.resolve(++sent > 0 && body.length > 99_990));
    expect(sent).toBe(150);
  });
});

describe('options', () => {
  it('have defaults, and a new seed for each run', () => {
    const { seed, ...others } = readOptions([]);
    expect(seed).toBeGreaterThan(0);
    expect(others).toEqual({ requests: 100_000, connections: 8, minutes: 120, database: 'sqlite', replay: null });
  });

  it('are read from the command line', () => {
    const args = ['--requests', '5', '--seed', '7', '--database', 'postgres', '--connections', '2', '--minutes', '3'];
    const expected = { requests: 5, seed: 7, database: 'postgres', connections: 2, minutes: 3, replay: null };
    expect(readOptions(args)).toEqual(expected);
  });

  it.each([
    [['--requests', 'many'], /--requests must be a whole number above 0, not "many"/],
    [['--seed', '0'], /--seed/],
    [['--database', 'oracle'], /--database must be one of sqlite, postgres, not "oracle"/],
    [['--colour'], /--colour/],
  ])('%j are rejected', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});
