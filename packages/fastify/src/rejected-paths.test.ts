/** Paths that Fastify rejects before a route is found. */
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { svc } from './plugin.js';
import { serverLimits } from './server-limits.js';
import { orderService } from './testing/order-service.js';

async function answerTo(url: string) {
  const app = Fastify({ ...serverLimits() });
  await app.register(svc(orderService()));
  app.get<{ Params: { id: string } }>('/notes/:id', ({ params }) => params.id);
  try {
    return await app.inject({ url });
  } finally {
    await app.close();
  }
}

it.each([
  ['an escape that is not one', '/orders/%zz', 400, 'bad-request'],
  ['bytes that are not UTF-8', '/orders/%ff', 400, 'bad-request'],
  ['a key that is too long', `/notes/${'x'.repeat(401)}`, 414, 'uri-too-long'],
])('a path with %s is a problem with a trace id', async (_name, url, status, type) => {
  const answer = await answerTo(url);
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([
    status,
    'application/problem+json; charset=utf-8',
  ]);
  expect(answer.json()).toMatchObject({
    type: `urn:svc:problem:${type}`,
    instance: url,
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
  });
});

it('a path may have the longest key of a model, also escaped', async () => {
  const key = '\u00e9'.repeat(400);
  const answer = await answerTo(`/notes/${encodeURIComponent(key)}`);
  expect([answer.statusCode, answer.body]).toEqual([200, key]);
});
