import { createServer } from 'node:http';
import type { LookupAddress } from 'node:dns';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { post } from './post.js';
import { publicLookup } from './public-address.js';

/** Resolves a name to one answer after the other. Real name servers that change their answers cannot be reached from a test. */
function resolver(...answers: readonly string[][]): Parameters<typeof publicLookup>[0] {
  let count = 0;
  return (_hostname, _options, done) => {
    const addresses = answers[count++ % answers.length]!;
    done(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
}

const lookUp = (lookup: ReturnType<typeof publicLookup>, all: boolean): Promise<unknown> =>
  new Promise((resolve, reject) => {
    lookup('example.com', { all }, (error, ...found) => (error === null ? resolve(found) : reject(error)));
  });

it('connects to no private address of a name that was public before', async () => {
  let connections = 0;
  const server = createServer().on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const lookup = publicLookup(resolver(['93.184.216.34'], ['127.0.0.1']));
  expect(await lookUp(lookup, true)).toEqual([[{ address: '93.184.216.34', family: 4 }]]);
  const url = new URL(`http://rebinding.example:${(server.address() as AddressInfo).port}/`);
  const posting = post({ url, headers: {}, body: '', lookup, signal: AbortSignal.timeout(5_000) });
  await expect(posting).rejects.toMatchObject({ code: 'SVC_WEBHOOK_ADDRESS_REJECTED' });
  expect(connections).toBe(0);
});

it.each([[['93.184.216.34', '10.0.0.1']], [['::ffff:10.0.0.1']], [['fe80::1%eth0']]])(
  'rejects a name with the addresses %j',
  async (addresses) => {
    for (const all of [true, false]) {
      await expect(lookUp(publicLookup(resolver(addresses)), all)).rejects.toThrow('it is not a public address');
    }
  },
);

it('resolves to one address if the connection asks for one', async () => {
  expect(await lookUp(publicLookup(resolver(['2606:4700::1111'])), false)).toEqual(['2606:4700::1111', 6]);
});
