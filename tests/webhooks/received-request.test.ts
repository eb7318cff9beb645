/** What hooks see of a request: its headers and exact bytes over REST, nothing over GraphQL. */
import type { AddressInfo } from 'node:net';
import { messageOf, newId, type ReceivedRequest } from '@svc/core';
import { svc } from '@svc/fastify';
import { graphQL } from '@svc/graphql';
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { PlaceOrder, scriptedService } from '../hook-lifecycle/scripted-service.js';

async function served(): Promise<{ url: string; seen: (ReceivedRequest | null)[] }> {
  const seen: (ReceivedRequest | null)[] = [];
  const { service } = scriptedService({
    map: ({ name }) => messageOf(PlaceOrder, { name }),
    before: (_command, { request }) => void seen.push(request),
    after: (_command, _result, { request }) => void seen.push(request),
  });
  const app = Fastify();
  onTestFinished(async () => {
    await app.close();
    await service.stop();
  });
  await app.register(svc(service, { bodyLimit: 1_000, graphql: graphQL() }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, seen };
}

const post = (url: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

it.each([
  ['spaces and escapes', '{ "name" :\t"\\u0061\\/" }\n'],
  ['characters outside of ASCII', '{"name":"grüße 🦊 \uFFFD"}'],
])('shows hooks the headers and the exact bytes of a body with %s', async (_title, body) => {
  const { url, seen } = await served();
  for (const headers of [{}, { 'idempotency-key': newId() }]) {
    seen.length = 0;
    const response = await post(`${url}/orders`, body, { 'x-signature': 'abc', ...headers });
    expect(response.status).toBe(200);
    expect(seen).toHaveLength(2);
    expect(seen[1]).toBe(seen[0]);
    expect(seen[0]!.headers).toMatchObject({ 'x-signature': 'abc', ...headers });
    expect(Buffer.from(seen[0]!.rawBody)).toEqual(Buffer.from(body));
  }
});

it('runs no hook for a body above the limit', async () => {
  const { url, seen } = await served();
  expect((await post(`${url}/orders`, JSON.stringify({ name: 'x'.repeat(1_000) }))).status).toBe(413);
  expect(seen).toEqual([]);
});

it('shows hooks no request over GraphQL', async () => {
  const { url, seen } = await served();
  const query = 'mutation { placeOrder(command: { name: "book" }) }';
  expect((await post(`${url}/graphql`, JSON.stringify({ query }))).status).toBe(200);
  expect(seen).toEqual([null, null]);
});
