/** How the files of the pages are served on every host, on real servers. */
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { graphQL } from '@svc/graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hosts, type Listening } from './hosts.js';
import { ordersService } from './orders.js';

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

describe.each(hosts)('pages on $name', ({ start }) => {
  let host: Listening;
  beforeAll(async () => {
    host = await start(await ordersService(), [], { prefix: '/api', graphql: graphQL({ development: true }) });
  });
  afterAll(() => host.stop());

  /** Node's client decodes nothing. */
  function send(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: host.port, path, method, headers }, (response) => {
        const { statusCode: status } = response;
        buffer(response).then((body) => resolve({ status, headers: response.headers, body }), reject);
      });
      sent.on('error', reject).end();
    });
  }

  it.each(['/api/docs', '/api/graphql'])(
    'files of %s are compressed for clients that accept it, and can be stored',
    async (page) => {
      const { body } = await send(page, { accept: 'text/html' });
      const { pathname, search } = new URL(/src="([^"]+)"/.exec(body.toString())![1]!, `http://host${page}`);
      const compressed = await send(pathname + search, { 'accept-encoding': 'gzip, br' });
      expect(compressed).toMatchObject({
        status: 200,
        headers: {
          'content-type': 'text/javascript; charset=utf-8',
          'content-encoding': 'gzip',
          'cache-control': 'public, max-age=31536000, immutable',
          vary: expect.stringContaining('Accept-Encoding') as string,
        },
      });
      const plain = await send(pathname + search);
      expect(plain.headers).not.toHaveProperty('content-encoding');
      expect(plain.body.equals(gunzipSync(compressed.body))).toBe(true);

      const head = await send(pathname + search, { 'accept-encoding': 'gzip' }, 'HEAD');
      expect([head.status, head.body.length]).toEqual([200, 0]);
      expect(head.headers['content-encoding']).toBe('gzip');
    },
  );

  it('files of an older page are served, and not stored', async () => {
    for (const path of ['/api/docs/page.css?v=0123456789abcdef', '/api/docs/page.css']) {
      expect(await send(path)).toMatchObject({ status: 200, headers: { 'cache-control': 'no-cache' } });
    }
  });
});
