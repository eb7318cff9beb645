import { afterAll, beforeAll, expect, it } from 'vitest';
import { SecuredOrders, tokenFor } from './testing/secured-orders.js';

let orders: SecuredOrders;
let stranger: Record<string, string>;
beforeAll(async () => {
  orders = await SecuredOrders.start();
  stranger = { authorization: `Bearer ${await tokenFor('stranger')}` };
});
afterAll(() => orders.stop());

interface Described {
  readonly paths: Readonly<
    Record<string, Readonly<Record<'get' | 'post', { readonly responses: object } | undefined>>>
  >;
}

/** Every operation of the document, and the route of the example that it lacks, each with invalid parameters or an invalid body. */
async function invalidRequests(): Promise<readonly { path: string; body?: unknown; isRestricted: boolean }[]> {
  const { paths } = (await orders.send('/openapi.json', {})).body as Described;
  const documented: { path: string; body?: unknown; isRestricted: boolean }[] = [];
  for (const [path, { get, post }] of Object.entries(paths)) {
    if (post !== undefined) documented.push({ path, body: { unknown: 1 }, isRestricted: '403' in post.responses });
    const invalid = `${path.replace('{id}', 'x')}?unknown=1&afterEvent=x`;
    if (get !== undefined) documented.push({ path: invalid, isRestricted: '403' in get.responses });
  }
  return [...documented, { path: '/orders/x/audit?after=1&after=2', isRestricted: true }];
}

it('authenticates a caller before it validates the request', async () => {
  const requests = await invalidRequests();
  expect(requests.length).toBeGreaterThan(10);
  for (const { path, body } of requests) {
    expect.soft((await orders.send(path, {}, body)).status, path).toBe(401);
    expect.soft((await orders.send(path, { authorization: 'Bearer x' }, body)).status, path).toBe(401);
  }
  for (const query of ['{', '?query=%7B']) {
    const body = query === '{' ? { query } : undefined;
    expect.soft((await orders.send(`/graphql${body ? '' : query}`, {}, body)).status, query).toBe(401);
  }
});

it('authorizes a caller before it validates the request', async () => {
  const restricted = (await invalidRequests()).filter(({ isRestricted }) => isRestricted);
  expect(restricted.length).toBeGreaterThan(5);
  for (const { path, body } of restricted) {
    expect.soft((await orders.send(path, stranger, body)).status, path).toBe(403);
  }
});
