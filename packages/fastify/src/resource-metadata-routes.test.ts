import { randomBytes } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { apiKeyAuthentication, jwtAuthentication, type ProtectedResource } from '@svc/http';
import { svc } from './plugin.js';
import { audience, claimsOf, issuerName, signed } from './testing/issuer.js';
import { securedService } from './testing/secured-service.js';

const secret = randomBytes(32);
const wellKnown = '/.well-known/oauth-protected-resource';
const shop: ProtectedResource = {
  resource: 'https://api.example.com/shop',
  authorizationServers: ['https://login.example.com/'],
};
const apps: FastifyInstance[] = [];
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

function authentication(protectedResource?: ProtectedResource): ReturnType<typeof jwtAuthentication> {
  const options = { secret, issuer: issuerName, audience };
  return jwtAuthentication(protectedResource === undefined ? options : { ...options, protectedResource });
}

async function host(protectedResource?: ProtectedResource, prefix = ''): Promise<FastifyInstance> {
  const app = Fastify();
  apps.push(app);
  const bearer = authentication(protectedResource);
  await app.register(svc(securedService(bearer, apiKeyAuthentication({ keys: [] }))), { prefix });
  return app;
}

it('shows nothing that is not configured', async () => {
  const app = await host();
  expect((await app.inject(wellKnown)).statusCode).toBe(404);
  const { headers } = await app.inject({ method: 'POST', url: '/look', payload: {} });
  expect(headers['www-authenticate']).toEqual(['Bearer', 'ApiKey header="x-api-key"']);
});

it('serves the configured metadata at the root of the host, also below a prefix', async () => {
  const app = await host(shop, '/api');
  const answer = await app.inject(`${wellKnown}/shop`);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.json()).toEqual({
    resource: 'https://api.example.com/shop',
    authorization_servers: ['https://login.example.com/'],
    bearer_methods_supported: ['header'],
  });
  expect((await app.inject({ method: 'POST', url: `${wellKnown}/shop` })).statusCode).toBe(405);
  expect((await app.inject(`/api${wellKnown}/shop`)).statusCode).toBe(404);
});

it('serves what else is configured, at the path of a resource without a path', async () => {
  const app = await host({
    ...shop,
    resource: 'https://api.example.com',
    scopes: ['orders:write'],
    name: 'Shop',
    documentation: 'https://docs.example.com/shop',
  });
  expect((await app.inject(wellKnown)).json()).toMatchObject({
    resource: 'https://api.example.com',
    scopes_supported: ['orders:write'],
    resource_name: 'Shop',
    resource_documentation: 'https://docs.example.com/shop',
  });
});

it('refers to the metadata in every challenge for a token, of 401 and of 403', async () => {
  const app = await host(shop);
  const metadata = `resource_metadata="https://api.example.com${wellKnown}/shop"`;
  const challenges = async (headers: Record<string, string>, url = '/look'): Promise<unknown> =>
    (await app.inject({ method: 'POST', url, headers, payload: {} })).headers['www-authenticate'];
  expect(await challenges({})).toEqual([`Bearer ${metadata}`, 'ApiKey header="x-api-key"']);
  expect(await challenges({ authorization: 'Bearer x' })).toEqual([
    `Bearer error="invalid_token", error_description="The token is not valid.", ${metadata}`,
    'ApiKey header="x-api-key"',
  ]);
  const token = await signed(claimsOf(), secret, 'HS256');
  expect(await challenges({ authorization: `Bearer ${token}` }, '/write')).toEqual([
    `Bearer error="insufficient_scope", ${metadata}`,
  ]);
});

it('serves one document for two services of a host that share a resource', async () => {
  const app = await host(shop, '/one');
  await app.register(svc(securedService(authentication(shop))), { prefix: '/two' });
  expect((await app.inject(`${wellKnown}/shop`)).statusCode).toBe(200);
});

it.each([
  { ...shop, resource: 'api.example.com' },
  { ...shop, resource: 'http://api.example.com' },
  { ...shop, resource: 'https://api.example.com/#shop' },
  { ...shop, resource: 'https://ann:secret@api.example.com/' },
  { ...shop, authorizationServers: [] },
  { ...shop, authorizationServers: ['login'] },
  { ...shop, documentation: 'javascript:alert(1)' },
])('rejects %j at startup', (protectedResource) => {
  expect(() => authentication(protectedResource)).toThrow(
    expect.objectContaining({ code: 'SVC_INVALID_AUTHENTICATION' }) as Error,
  );
});
