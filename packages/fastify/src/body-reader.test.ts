import { Readable } from 'node:stream';
import { createGunzip, gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { readText } from './body-reader.js';
import { svc } from './plugin.js';
import { listen, post } from './testing/http.js';
import { orderBody, orderService } from './testing/order-service.js';

const apps: FastifyInstance[] = [];
afterEach(async () => void (await Promise.all(apps.splice(0).map((app) => app.close()))));

function read(parts: (Uint8Array | string)[], limit = 1000): Promise<string> {
  return new Promise((resolve, reject) =>
    readText(Readable.from(parts, { objectMode: true }), limit, (error, text) => {
      if (error === null) resolve(text!);
      else reject(error);
    }),
  );
}

it('joins the parts of a body, also in the middle of a character', async () => {
  const bytes = Buffer.from('{"a":"€😀"}');
  const parts = [...bytes].map((byte) => Uint8Array.of(byte)).map((part) => Buffer.from(part));
  expect(await read(parts)).toBe('{"a":"€😀"}');
});

it('reads strings from a stream that replaces the request', async () => {
  expect(await read(['"€', '😀"'])).toBe('"€😀"');
});

it('distinguishes a replacement character that was sent from invalid UTF-8', async () => {
  expect(await read([Buffer.from('"\uFFFD"')])).toBe('"\uFFFD"');
  await expect(read([Buffer.from('"\uFFFD"'), Buffer.of(0xff)])).rejects.toThrow('The body is not valid UTF-8.');
});

it('counts bytes, not characters, and reads nothing beyond the limit', async () => {
  expect(await read([Buffer.from('€€')], 6)).toBe('€€');
  await expect(read([Buffer.from('€'), Buffer.from('€x'), Buffer.from('more')], 6)).rejects.toMatchObject({
    code: 'FST_ERR_CTP_BODY_TOO_LARGE',
  });
});

it('leaves no listener behind', async () => {
  const stream = Readable.from([Buffer.from('{}')]);
  await new Promise((resolve) => readText(stream, 10, resolve));
  expect(stream.eventNames().filter((name) => name === 'data' || name === 'end' || name === 'error')).toEqual([]);
});

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
