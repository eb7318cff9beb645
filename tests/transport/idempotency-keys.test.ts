/** A request that is sent again under its idempotency key is answered again, and has one effect. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect } from '@svc/core/testing';
import { inGraphQL, mutation, parcel, type Body } from './parcel-requests.js';
import { serveParcels, type Parcels } from './parcels.js';

let parcels: Parcels;
beforeAll(async () => void (parcels = await serveParcels()));
afterAll(() => parcels?.stop());

let keys = 0;
const newKey = (): string => `key-${++keys}`;

async function post(path: string, body: unknown, key?: string | string[]) {
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const one of [key ?? []].flat()) headers.append('idempotency-key', one);
  const response = await fetch(parcels.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  return { status: response.status, replayed: response.headers.get('idempotency-replayed'), text };
}

const rest = (body: Body, key?: string | string[]) => post('/parcels', body, key);
const graphql = (body: Body, key?: string, query = mutation) =>
  post('/graphql', { query, variables: { command: inGraphQL(body) } }, key);
const storedEvents = async (): Promise<number> =>
  (await collect(parcels.service.eventStore.readAll())).filter(({ envelope }) => envelope.type.endsWith('ParcelSent'))
    .length;

describe('a request under an idempotency key', () => {
  it('is replayed over REST, byte for byte, and has one effect', async () => {
    const [before, key] = [await storedEvents(), newKey()];
    const first = await rest(parcel, key);
    const shuffled = Object.fromEntries(Object.entries(parcel).toReversed());
    const second = await rest(shuffled, key);
    expect(first).toMatchObject({ status: 200, replayed: null });
    expect(second).toEqual({ ...first, replayed: 'true' });
    expect((await rest(parcel)).text).toBe(first.text);
    expect(await storedEvents()).toBe(before + 2);
  });

  it('is replayed over GraphQL, with the selected fields of the result', async () => {
    const [before, key] = [await storedEvents(), newKey()];
    const plain = await graphql(parcel);
    const first = await graphql(parcel, key);
    expect(first.text).toBe(plain.text);
    expect((await graphql(parcel, key)).text).toBe(first.text);
    const less = 'mutation ($command: SendParcelInput!) { sent: sendParcel(command: $command) { weight days } }';
    expect(JSON.parse((await graphql(parcel, key, less)).text)).toEqual({
      data: { sent: { weight: parcel.weight, days: parcel.days } },
    });
    expect(await storedEvents()).toBe(before + 2);
  });

  it('is the same request over REST and over GraphQL', async () => {
    const [before, key] = [await storedEvents(), newKey()];
    await graphql(parcel, key);
    expect(await rest(parcel, key)).toMatchObject({ status: 200, replayed: 'true' });
    expect(await storedEvents()).toBe(before + 1);
  });

  it('replays results without an object type', async () => {
    const [first, key] = [newKey(), newKey()];
    const count = (under: string) => post('/graphql', { query: 'mutation { countParcels(command: {}) }' }, under);
    expect((await count(key)).text).toBe(
      '{"data":{"countParcels":[[1,2],{"monday":"2026-02-02T00:00:00.000Z"},null]}}',
    );
    expect((await count(key)).text).toBe((await count(first)).text);
    expect(await post('/count', {}, key)).toMatchObject({ status: 200, replayed: 'true' });
  });

  it('is rejected when it is another request', async () => {
    const [before, key] = [await storedEvents(), newKey()];
    await rest(parcel, key);
    const other = { ...parcel, tags: ['other'] };
    const rejected = await rest(other, key);
    expect([rejected.status, JSON.parse(rejected.text)]).toMatchObject([
      422,
      { type: 'urn:svc:problem:idempotency-key-reused' },
    ]);
    expect(JSON.parse((await graphql(other, key)).text)).toMatchObject({
      errors: [{ extensions: { code: 'IDEMPOTENCY_KEY_REUSED' } }],
    });
    expect(await storedEvents()).toBe(before + 1);
    expect(await post('/count', {}, key), 'of another command').toMatchObject({ status: 200, replayed: null });
  });

  it('stores nothing when its command fails, and runs again', async () => {
    const key = newKey();
    for (const maybe of ['refused', 'bug']) {
      expect((await rest({ ...parcel, maybe }, key)).status).toBe(maybe === 'bug' ? 500 : 422);
    }
    expect(await rest(parcel, key)).toMatchObject({ status: 200, replayed: null });
  });

  it.each([
    ['empty', ''],
    ['with a space', 'a b'],
    ['of other letters', 'schlüssel'],
    ['too long', 'x'.repeat(256)],
    ['given twice', ['a', 'b']],
  ])('is rejected when the key is %s', async (_name, key) => {
    const before = await storedEvents();
    const rejected = await rest(parcel, key);
    expect([rejected.status, JSON.parse(rejected.text)]).toMatchObject([400, { type: 'urn:svc:problem:bad-request' }]);
    expect(await storedEvents()).toBe(before);
  });

  it('stands for one mutation', async () => {
    const before = await storedEvents();
    const field = 'sendParcel(command: $command) { id }';
    const declared = 'mutation ($command: SendParcelInput!)';
    for (const query of [
      `${declared} { a: ${field} b: ${field} }`,
      `${declared} { ...both } fragment both on Mutation { a: ${field} ... { b: ${field} } }`,
    ]) {
      const answer = await graphql(parcel, newKey(), query);
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
        400,
        { errors: [{ extensions: { code: 'BAD_REQUEST' }, message: expect.stringMatching(/one mutation/) as string }] },
      ]);
    }
    const batch = [{ query: mutation, variables: { command: inGraphQL(parcel) } }];
    expect((await post('/graphql', batch, newKey())).status).toBe(400);
    expect(await storedEvents()).toBe(before);
    expect(JSON.parse((await post('/graphql', { query: '{ service }' }, newKey())).text)).toMatchObject({ data: {} });
  });
});

it('is in the OpenAPI document of every command', async () => {
  const response = await fetch(`${parcels.url}/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, { post?: { parameters?: unknown } }> };
  for (const path of ['/parcels', '/count']) {
    expect(paths[path]!.post!.parameters).toMatchObject([{ in: 'header', name: 'Idempotency-Key', required: false }]);
  }
});
