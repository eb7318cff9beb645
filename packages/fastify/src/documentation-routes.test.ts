import helmet from '@fastify/helmet';
import Ajv from 'ajv/dist/2020.js';
import Fastify, { type FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '@svc/http/hosting';
import type { SvcOptions } from '@svc/http';
import { svc } from './plugin.js';
import { orderBody, orderService } from './testing/order-service.js';

async function host(options: SvcOptions = {}, prefix = ''): Promise<FastifyInstance> {
  const app = Fastify();
  await app.register(helmet);
  await app.register(svc(orderService(), options), { prefix });
  return app;
}

describe('GET /openapi.json', () => {
  it('describes the commands, their problems and their paths', async () => {
    const app = await host({ openapi: { title: 'Orders', version: '2.1.0', description: 'Takes orders.' } }, '/api');
    const answer = await app.inject('/api/openapi.json');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    const document = answer.json<OpenApiDocument>();
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Orders', version: '2.1.0', description: 'Takes orders.' },
      servers: [{ url: '/api' }],
    });
    const { responses, requestBody } = document.paths['/orders']!.post!;
    expect(requestBody!.content['application/json']!.schema).toEqual({ $ref: '#/components/schemas/CreateOrder' });
    expect(Object.keys(responses)).toEqual(['200', '400', '409', '413', '415', '422', '500', 'default']);
  });

  it('describes the headers of responses', async () => {
    const document = (await (await host()).inject('/openapi.json')).json<OpenApiDocument>();
    const headersOf = (response: object): string[] => Object.keys('headers' in response ? response.headers! : {});
    expect(headersOf(document.paths['/orders']!.post!.responses['200']!)).toEqual([
      'Svc-Last-Event',
      'Idempotency-Replayed',
    ]);
    const { Conflict, UnsupportedMediaType, Problem } = document.components.responses;
    expect([Conflict, UnsupportedMediaType, Problem].map((response) => headersOf(response!))).toEqual([
      ['Retry-After'],
      ['Accept-Encoding'],
      ['Retry-After'],
    ]);
  });

  it('has a default title and version', async () => {
    const document = (await (await host()).inject('/openapi.json')).json<OpenApiDocument>();
    expect(document).toMatchObject({ info: { title: 'API', version: '1.0.0' }, servers: [{ url: '/' }] });
  });

  it('names the servers that are configured, for a proxy that removes a part of the path', async () => {
    const servers = ['https://example.com/shop/', '/shop'];
    const app = await host({ openapi: { servers } }, '/api');
    const document = (await app.inject('/api/openapi.json')).json<OpenApiDocument>();
    expect(document.servers).toEqual(servers.map((url) => ({ url })));
    expect((await app.inject('/api/docs')).body).toContain('https://example.com/shop/orders');
    const relative = await host({ openapi: { servers: ['/shop'] } });
    const { body } = await relative.inject({ url: '/docs', headers: { host: 'orders.example' } });
    expect(body).toContain('http://orders.example/shop/orders');
  });

  it.each([
    [[]],
    [['shop']],
    [['//example.com']],
    [['ftp://example.com']],
    [['/shop?a=1']],
    [['https://a b']],
    [['https://']],
  ])('rejects the servers %j', async (servers) => {
    await expect(host({ openapi: { servers } })).rejects.toThrow(/^openapi.servers /);
  });

  it('has no reference to a missing part', async () => {
    const text = (await (await host()).inject('/openapi.json')).body;
    const document = JSON.parse(text) as Record<string, unknown>;
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!);
    expect(references.length).toBeGreaterThan(5);
    const lookUp = (path: string): unknown =>
      path.split('/').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], document);
    expect(references.filter((path) => typeof lookUp(path) !== 'object')).toEqual([]);
  });

  it('has schemas that a validator accepts: for a valid order, and for the problem of an invalid one', async () => {
    const app = await host();
    const document = (await app.inject('/openapi.json')).json<OpenApiDocument>();
    const ajv = new Ajv.default({ strict: true, validateFormats: false });
    ajv.addKeyword('components');
    ajv.addSchema({ $id: 'svc:openapi', components: document.components }, undefined, undefined, false);
    const validate = (name: string, value: unknown): boolean =>
      ajv.validate({ $ref: `svc:openapi#/components/schemas/${name}` }, value);
    expect(validate('CreateOrder', orderBody())).toBe(true);
    expect(validate('CreateOrder', orderBody({ lineItems: [] }))).toBe(false);
    const bad = await app.inject({ method: 'POST', url: '/orders', payload: {} });
    expect(validate('Problem', bad.json())).toBe(true);
    expect(validate('Problem', {})).toBe(false);
  });

  it('can be disabled, together with the page', async () => {
    const app = await host({ openapi: false });
    expect((await app.inject('/openapi.json')).statusCode).toBe(404);
    expect((await app.inject('/docs')).statusCode).toBe(404);
  });
});

describe('GET /docs', () => {
  it('shows every operation with its path, description, body, an example and its responses', async () => {
    const app = await host({ openapi: { title: 'Orders', version: '2.1.0' } }, '/api');
    const answer = await app.inject({ url: '/api/docs', headers: { host: 'orders.example:8080' } });
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    const page = answer.body;
    for (const text of [
      '<title>Orders 2.1.0</title>',
      'Create order</h3>',
      '<code>/orders</code>',
      'array of <a href="#schema-LineItem">LineItem</a>',
      'at least 1 items',
      'matches ^[0-9]{5}$',
      'Five digits.',
      '<span class="format">uuid</span>',
      'curl -X POST &#39;http://orders.example:8080/api/orders&#39;',
      '&quot;unitPrice&quot;: &quot;12.50&quot;',
      '<a href="#schema-OrderCreated">OrderCreated</a>',
      'urn:svc:problem:command-rejected',
    ]) {
      expect(page).toContain(text);
    }
  });

  it('escapes all texts of a program', async () => {
    const app = await host({ openapi: { title: '<script>alert(1)</script>', description: '"><img src=x onerror=y>' } });
    const page = (await app.inject('/docs')).body;
    expect(page).toContain('&lt;b&gt;Not bold&lt;/b&gt; &amp; &quot;quoted&quot;');
    expect(page).toContain('<title>&lt;script&gt;alert(1)&lt;/script&gt; 1.0.0</title>');
    expect(page).not.toMatch(/<(?:script|img|b)\b/);
  });

  it.each(['evil.example/"><script>', "x';rm -rf ~;'", '[::1', 'x'.repeat(300)])(
    'does not repeat the strange host %s',
    async (name) => {
      const page = (await (await host()).inject({ url: '/docs', headers: { host: name } })).body;
      expect(page).toContain('&#39;http://localhost:3000/orders&#39;');
    },
  );

  it('runs no script, loads nothing from other servers, and complies with a strict policy', async () => {
    const app = await host();
    const page = (await app.inject('/docs')).body;
    expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=|javascript:/i);
    const loaded = [...page.matchAll(/<(?:link|img|iframe|object)[^>]*(?:href|src)="([^"]+)"/g)].map(([, url]) => url);
    expect(loaded).toEqual(['docs/style.css']);
    const style = await app.inject('/docs/style.css');
    expect(style.headers['content-type']).toBe('text/css; charset=utf-8');
    expect(style.body).not.toMatch(/url\(|@import/);
    expect(style.body).toContain('prefers-color-scheme: dark');
  });

  it('does not change headers that the host has set', async () => {
    const app = Fastify();
    await app.register(helmet, { frameguard: { action: 'sameorigin' }, contentSecurityPolicy: false });
    app.addHook(
      'onRequest',
      async (_request, reply) => void reply.header('content-security-policy', "default-src 'self'"),
    );
    await app.register(svc(orderService()));
    for (const url of ['/docs', '/docs/style.css', '/openapi.json']) {
      expect((await app.inject(url)).headers).toMatchObject({
        'content-security-policy': "default-src 'self'",
        'x-frame-options': 'SAMEORIGIN',
        'x-content-type-options': 'nosniff',
      });
    }
  });

  it('has a target for every internal link, and unique ids', async () => {
    const page = (await (await host()).inject('/docs')).body;
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(links.filter((link) => !ids.includes(link))).toEqual([]);
  });

  it('can be disabled alone', async () => {
    const app = await host({ docs: false });
    expect((await app.inject('/docs')).statusCode).toBe(404);
    expect((await app.inject('/docs/style.css')).statusCode).toBe(404);
    expect((await app.inject('/openapi.json')).statusCode).toBe(200);
  });
});
