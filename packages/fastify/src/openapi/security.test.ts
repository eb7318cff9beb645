import Fastify, { type FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { apiKeyAuthentication, jwtAuthentication, newApiKey } from '@svc/http';
import { svc } from '../plugin.js';
import type { SvcOptions } from '@svc/http';
import { orderService } from '../testing/order-service.js';
import { securedService } from '../testing/secured-service.js';
import type { OpenApiDocument } from '@svc/http/hosting';

const reader = newApiKey();
const guest = newApiKey();

async function host(options: SvcOptions = {}): Promise<FastifyInstance> {
  const app = Fastify();
  const service = securedService(
    jwtAuthentication({ issuer: 'i', audience: 'a', secret: 'x'.repeat(32) }),
    apiKeyAuthentication({
      keys: [
        { sha256: reader.sha256, scope: { userId: 'reader' }, permissions: ['docs:read'] },
        { sha256: guest.sha256, scope: { userId: 'guest' } },
      ],
    }),
  );
  await app.register(svc(service, options));
  return app;
}

describe('the OpenAPI document', () => {
  it('contains the authentication schemes, the permission of each operation, and its 401 and 403', async () => {
    const { paths, components } = (await (await host()).inject('/openapi.json')).json<OpenApiDocument>();
    expect(components.securitySchemes).toEqual({
      Bearer: { type: 'http', scheme: 'bearer', description: 'A JSON Web Token.' },
      ApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key.' },
    });
    const securityOf = (path: string): unknown => paths[path]!.post!.security;
    expect(securityOf('/write')).toEqual([{ Bearer: ['orders:write'] }, { ApiKey: ['orders:write'] }]);
    expect(securityOf('/look')).toEqual([{ Bearer: [] }, { ApiKey: [] }]);
    expect(securityOf('/browse')).toEqual([{}, { Bearer: [] }, { ApiKey: [] }]);
    const statuses = (path: string): string[] => Object.keys(paths[path]!.post!.responses);
    expect(statuses('/write')).toEqual(expect.arrayContaining(['401', '403']));
    expect(statuses('/look')).toContain('401');
    expect(statuses('/look')).not.toContain('403');
    expect(components.responses['Unauthenticated']!.description).toContain('urn:svc:problem:unauthenticated');
    expect(components.responses['Forbidden']!.description).toContain('urn:svc:problem:forbidden');
  });

  it('contains no security in a service without authentication', async () => {
    const app = Fastify();
    await app.register(svc(orderService(), { docsRequire: 'docs:read' }));
    const text = (await app.inject('/openapi.json')).body;
    expect(text).not.toContain('securitySchemes');
    expect((JSON.parse(text) as OpenApiDocument).security).toEqual([]);
    expect(Object.keys((JSON.parse(text) as OpenApiDocument).paths['/orders']!.post!.responses)).not.toContain('401');
  });
});

describe('the documentation', () => {
  it.each(['/openapi.json', '/docs', '/docs/page.css', '/docs/page.js'])('needs no credential: %s', async (url) => {
    expect((await (await host()).inject(url)).statusCode).toBe(200);
  });

  it.each(['/openapi.json', '/docs', '/docs/page.css', '/docs/page.js'])(
    'can require a permission: %s',
    async (url) => {
      const app = await host({ docsRequire: 'docs:read' });
      expect((await app.inject(url)).statusCode).toBe(401);
      expect((await app.inject({ url, headers: { 'x-api-key': guest.key } })).statusCode).toBe(403);
      expect((await app.inject({ url, headers: { 'x-api-key': reader.key } })).statusCode).toBe(200);
    },
  );
});
