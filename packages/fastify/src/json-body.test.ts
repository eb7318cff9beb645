import { brotliCompressSync, createGunzip, deflateSync, gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { svc } from './plugin.js';
import { listen, post } from './testing/http.js';
import { orderBody, orderService } from './testing/order-service.js';

const apps: FastifyInstance[] = [];
afterEach(async () => void (await Promise.all(apps.splice(0).map((app) => app.close()))));

it('serves a host that decompresses bodies in a hook: bombs and corrupt bodies are rejected', async () => {
  const app = Fastify();
  apps.push(app);
  app.addHook('preParsing', (request, _reply, payload, done) => {
    done(null, request.headers['content-encoding'] === 'gzip' ? payload.pipe(createGunzip()) : payload);
  });
  await app.register(svc(orderService()));
  const port = await listen(app);
  const packed = (text: string) => Uint8Array.from(gzipSync(text));
  const gzip = { 'content-encoding': 'gzip' };
  expect((await post(port, packed(JSON.stringify(orderBody())), gzip)).status).toBe(200);
  expect((await post(port, packed(' '.repeat(50_000_000)), gzip)).json).toMatchObject({ status: 413 });
  expect((await post(port, 'not packed at all', gzip)).json).toMatchObject({
    type: 'urn:svc:problem:bad-request',
    detail: 'incorrect header check',
  });
});

describe('an encoded body', () => {
  async function serving(): Promise<number> {
    const app = Fastify();
    apps.push(app);
    await app.register(svc(orderService()));
    return await listen(app);
  }

  it.each([
    ['gzip', gzipSync],
    ['GZIP', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', Buffer.from],
  ])('is decoded: %s', async (encoding, encode) => {
    const body = Uint8Array.from(encode(JSON.stringify(orderBody())));
    expect((await post(await serving(), body, { 'content-encoding': encoding })).status).toBe(200);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('is rejected if it is too large when decoded: %s', async (encoding, encode) => {
    const bomb = Uint8Array.from(encode(Buffer.alloc(50_000_000, 32)));
    const port = await serving();
    const answer = await post(port, bomb, { 'content-encoding': encoding });
    expect(answer.json).toMatchObject({ status: 413, type: 'urn:svc:problem:content-too-large' });
    expect((await post(port, JSON.stringify(orderBody()))).status).toBe(200);
  });

  it.each(['gzip', 'deflate', 'br'])('is rejected if it is corrupt or ends early: %s', async (encoding) => {
    const encode = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }[encoding]!;
    const port = await serving();
    for (const body of [Uint8Array.from(encode(JSON.stringify(orderBody()))).slice(0, -8), 'not packed at all']) {
      const answer = await post(port, body, { 'content-encoding': encoding });
      expect(answer.json).toMatchObject({ status: 400, detail: `The body is not valid ${encoding}.` });
    }
  });

  it.each(['zstd', 'gzip, gzip', '__proto__', 'x'.repeat(5000)])(
    'is rejected with another encoding: %s',
    async (encoding) => {
      const answer = await post(await serving(), JSON.stringify(orderBody()), { 'content-encoding': encoding });
      expect(answer.json).toMatchObject({ status: 415, type: 'urn:svc:problem:unsupported-media-type' });
      expect(answer.headers.get('accept-encoding')).toBe('gzip, deflate, br');
    },
  );
});
