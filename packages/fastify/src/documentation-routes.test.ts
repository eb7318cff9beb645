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

  it('can be disabled, together with the page and the AsyncAPI document', async () => {
    const app = await host({ openapi: false });
    expect((await app.inject('/openapi.json')).statusCode).toBe(404);
    expect((await app.inject('/asyncapi.json')).statusCode).toBe(404);
    expect((await app.inject('/docs')).statusCode).toBe(404);
  });
});

describe('GET /docs', () => {
  it('is HTML that loads only files of the service, with a policy that allows nothing else', async () => {
    const app = Fastify();
    await app.register(svc(orderService(), { openapi: { title: 'A & <b>' } }), { prefix: '/api' });
    const { headers, body } = await app.inject('/api/docs');
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    });
    expect(body).toContain('<title>A &amp; &lt;b></title>');
    const loaded = [...body.matchAll(/<(?:link rel="stylesheet"|script)[^>]*(?:href|src)="([^"]+)"/g)];
    expect(loaded.map(([, address]) => address!.replace(/\?v=[0-9a-f]{16}$/, ''))).toEqual([
      'docs/page.css',
      'docs/page.js',
    ]);
    for (const [, address] of loaded) {
      const file = await app.inject(new URL(address!, 'http://host/api/docs').pathname);
      expect([address, file.statusCode]).toEqual([address, 200]);
    }
  });

  it('does not change headers that the host has set', async () => {
    const app = Fastify();
    await app.register(helmet, { frameguard: { action: 'sameorigin' }, contentSecurityPolicy: false });
    app.addHook(
      'onRequest',
      async (_request, reply) => void reply.header('content-security-policy', "default-src 'self'"),
    );
    await app.register(svc(orderService()));
    for (const url of ['/docs', '/docs/page.css', '/docs/page.js', '/openapi.json', '/asyncapi.json']) {
      expect((await app.inject(url)).headers).toMatchObject({
        'content-security-policy': "default-src 'self'",
        'x-frame-options': 'SAMEORIGIN',
        'x-content-type-options': 'nosniff',
      });
    }
  });

  it('can be disabled alone', async () => {
    const app = await host({ docs: false });
    expect((await app.inject('/docs')).statusCode).toBe(404);
    expect((await app.inject('/docs/page.js')).statusCode).toBe(404);
    expect((await app.inject('/openapi.json')).statusCode).toBe(200);
  });
});
