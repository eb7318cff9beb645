/** One command that is reached over REST and over GraphQL has one result, and fails in one way. */
import { SystemEventStream } from '@svc/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inGraphQL, mutation, parcel, type Body } from './parcel-requests.js';
import { serveParcels, type Parcels } from './parcels.js';

let parcels: Parcels;
beforeAll(async () => void (parcels = await serveParcels()));
afterAll(() => parcels?.stop());

async function overRest(body: Body): Promise<Outcome> {
  const answer = (await post('/parcels', body)) as Body & { type?: string; detail?: string; errors?: unknown };
  if (typeof answer.type !== 'string') return { result: answer };
  const code = answer.type.replace('urn:svc:problem:', '').toUpperCase().replaceAll('-', '_');
  return { code, message: answer.detail, errors: answer.errors };
}

async function overGraphQL(body: Body): Promise<Outcome> {
  const { data, errors } = (await post('/graphql', { query: mutation, variables: { command: inGraphQL(body) } })) as {
    data: { sendParcel: Body } | null;
    errors?: readonly { message: string; extensions: { code: string; errors?: unknown } }[];
  };
  const [error] = errors ?? [];
  if (error === undefined) return { result: data?.sendParcel };
  return { code: error.extensions.code, message: error.message, errors: error.extensions.errors };
}

interface Outcome {
  readonly result?: unknown;
  readonly code?: string;
  readonly message?: string | undefined;
  readonly errors?: unknown;
}

async function post(path: string, body: unknown): Promise<unknown> {
  return await postText(path, JSON.stringify(body));
}

async function postText(path: string, body: string): Promise<unknown> {
  const response = await fetch(parcels.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return await response.json();
}

/** REST leaves out what is not there; GraphQL says null. */
function withoutNulls(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, item: unknown) => (item === null && key !== 'maybe' ? undefined : item)),
  );
}

describe('results', () => {
  it.each([
    ['with every kind of type', {}],
    ['without what may be left out', { note: undefined }],
    ['with what may be left out', { note: 'short' }],
    ['of an arm without properties', { insurance: { kind: 'none' } }],
    ['of an arm with a set and a null', { insurance: { kind: 'by-part', parts: [parcel.id], until: null } }],
    ['of an arm with a date', { insurance: { kind: 'by-part', parts: [], until: parcel.sent } }],
    ['with an id in capitals', { id: parcel.id.toUpperCase() }],
    ['with a decimal that is a number', { weight: 12.5 }],
    ['with the longest decimal', { weight: '9'.repeat(1_000) }],
    ['with a property that has a default', { from: 'there' }],
    ['with a text where a list could be', { code: 'x' }],
  ])('are the same: %s', async (_name, change) => {
    const body = { ...parcel, ...change };
    const rest = await overRest(body);
    const graphql = await overGraphQL(body);
    expect(rest.result).toBeDefined();
    expect(withoutNulls(graphql.result)).toEqual(withoutNulls(rest.result));
    expect((graphql.result as Body)['extra']).toEqual((rest.result as Body)['extra']);
  });
});

it('writes a result without a GraphQL type as REST does', async () => {
  const query = 'mutation { countParcels(command: {}) }';
  const rest = await post('/count', {});
  expect(rest).toEqual([[1, 2], { monday: '2026-02-02T00:00:00.000Z' }, null]);
  for (let i = 0; i < 3; i++) expect(await post('/graphql', { query })).toEqual({ data: { countParcels: rest } });
});

it('rejects an integer that a number would change, as REST does', async () => {
  const literal = 'mutation ($command: SendParcelInput!) { sendParcel(command: $command) { id } }';
  const body = JSON.stringify(inGraphQL(parcel)).replace('"ratio":0.5', '"ratio":12345678901234567890');
  const rest = (await postText(
    '/parcels',
    JSON.stringify(parcel).replace('"ratio":0.5', '"ratio":12345678901234567890'),
  )) as Body;
  const places = [{ pointer: '/ratio', detail: 'is an integer that a JSON number cannot carry exactly' }];
  expect(rest['errors']).toEqual(places);
  const variable = (await postText(
    '/graphql',
    `{"query":${JSON.stringify(literal)},"variables":{"command":${body}}}`,
  )) as Body;
  expect(variable['errors']).toMatchObject([{ extensions: { errors: places } }]);
});

describe('an invalid request', () => {
  const { id: _id, mail: _mail, ...withoutTwo } = parcel;

  it.each<readonly [string, Body]>([
    ['nothing but what may be null', { extra: null, maybe: null }],
    ['properties that are missing', withoutTwo],
    ['unknown properties', { ...parcel, colour: 'red', 'a/b~c': 1 }],
    ['other types', { ...parcel, id: 1, fragile: 'yes', count: '1', ratio: 'much', sent: 5, speed: {} }],
    ['null where there is none', { ...parcel, id: null, weight: null, boxes: null }],
    ['formats', { ...parcel, id: 'x', sent: '2026-02-30T00:00:00Z', wait: '1 s', mail: 'me' }],
    [
      'decimals that are too long',
      { ...parcel, weight: '1'.repeat(1_001), insurance: { kind: 'full', sum: '2'.repeat(2_000) } },
    ],
    ['bounds', { ...parcel, weight: '-1', small: 11, note: 'too long', boxes: [] }],
    ['literals', { ...parcel, speed: 'warp', state: 'lost', level: 4 }],
    ['integers that JSON cannot carry', { ...parcel, count: 2 ** 60, small: 1.5 }],
    [
      'places deep inside',
      { ...parcel, boxes: [{ label: 'a', inside: [{ label: 1, inside: [], lid: { label: 'A' } }] }] },
    ],
    ['an arm', { ...parcel, insurance: { kind: 'full', sum: 'x', more: 1 } }],
    ['items of a set', { ...parcel, tags: ['a', 'a', 1] }],
    ['what is JSON to GraphQL', { ...parcel, sizes: [1], days: { monday: 'x' }, code: true }],
    ['more errors than are reported', { ...parcel, tags: Array.from({ length: 300 }, (_, i) => i) }],
  ])('has the same errors with the same pointers: %s', async (_name, body) => {
    const rest = await overRest(body);
    expect(rest.code).toBe('INVALID_REQUEST');
    expect(await overGraphQL(body)).toEqual(rest);
  });
});

describe('a failing command', () => {
  it.each([
    ['missing', 'NOT_FOUND'],
    ['refused', 'COMMAND_REJECTED'],
    ['invalid', 'INVALID_REQUEST'],
    ['forbidden', 'FORBIDDEN'],
    ['unauthenticated', 'UNAUTHENTICATED'],
    ['busy', 'TOO_MANY_REQUESTS'],
    ['away', 'UNAVAILABLE'],
    ['bug', 'INTERNAL_ERROR'],
    ['text', 'INTERNAL_ERROR'],
    ['upstream', 'INTERNAL_ERROR'],
  ])('has the same error message: %s', async (maybe, code) => {
    const rest = await overRest({ ...parcel, maybe });
    expect(rest.code).toBe(code);
    expect(await overGraphQL({ ...parcel, maybe })).toEqual(rest);
    expect(JSON.stringify(rest)).not.toContain('secret');
  });
});

describe('the GraphQL forms of input', () => {
  const sendInGraphQL = async (change: Body): Promise<Body> => {
    const command = { ...inGraphQL(parcel), ...change };
    return (await post('/graphql', { query: mutation, variables: { command } })) as Body;
  };

  it.each<readonly [string, Body, Body]>([
    ['null for what may be left out', { note: null, from: null }, {}],
    ['nothing for what may be null', { maybe: undefined }, { maybe: null }],
    ['one item for a list', { tags: 'a', boxes: { label: 'A', inside: { label: 'B', inside: [] } } }, { tags: ['a'] }],
    ['the keys of an arm, the others null', { insurance: { full: { sum: '1' }, none: null } }, {}],
  ])('%s', async (_name, change, expected) => {
    const { data, errors } = await sendInGraphQL(change);
    expect(errors).toBeUndefined();
    expect((data as Body)['sendParcel']).toMatchObject({ ...expected, extra: { from: 'here' } });
  });

  it.each<readonly [string, unknown]>([
    ['no arm', {}],
    ['two arms', { full: { sum: '1' }, none: {} }],
    ['an arm that is not there', { other: {} }],
    ['a tag instead', { kind: 'none' }],
    ['a text', 'full'],
  ])('reports by which property an arm is selected: %s', async (_name, insurance) => {
    const { errors } = await sendInGraphQL({ insurance });
    expect(errors).toMatchObject([
      {
        extensions: {
          code: 'INVALID_REQUEST',
          errors: [{ pointer: '/insurance', detail: 'must have exactly one of the keys byPart, full, none' }],
        },
      },
    ]);
  });
});

/** What the audit says since the last time it was asked, without what is new each time. */
async function newAuditRecords(): Promise<unknown[]> {
  const { service } = parcels;
  await service.idle();
  const records: unknown[] = [];
  for await (const { envelope } of service.eventStore.readStream(SystemEventStream.streamId, auditedUpTo)) {
    auditedUpTo++;
    const fresh = { id: 0, timestamp: 0, messageId: 0, correlationId: 0, causationId: 0, originalEventId: 0 };
    records.push({ type: envelope.type, ...structuredClone(envelope.payload), ...fresh, originalStreamPosition: 0 });
  }
  return records;
}
let auditedUpTo = 0;

describe('the audit', () => {
  it.each([
    ['that succeeds', parcel, ['svc.EventAudited', 'svc.CommandAudited']],
    ['that is rejected', { ...parcel, maybe: 'refused' }, []],
    ['that fails', { ...parcel, maybe: 'bug' }, ['svc.ReceptorFailed']],
  ])('of a command %s is the same over both', async (_what, body, types) => {
    await newAuditRecords();
    await overRest(body);
    const ofRest = await newAuditRecords();
    await overGraphQL(body);
    const ofGraphQL = await newAuditRecords();
    expect(ofRest.map((record) => (record as { type: string }).type)).toEqual(types);
    expect(ofGraphQL).toEqual(ofRest);
  });
});
