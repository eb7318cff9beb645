/** Tokens that oidc-provider issues, requested and sent with oauth4webapi. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Service } from '@svc/core';
import { jwtAuthentication, nodeHandler, type KeySetOptions } from '@svc/http';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import * as oauth from 'oauth4webapi';
import { Provider, type AsymmetricSigningAlgorithm } from 'oidc-provider';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { orderBody, ordersService } from '../http-hosts/orders.js';

const client: oauth.Client = { client_id: 'shop' };
const secret = 'a secret of the shop that is long enough';
const insecure = { [oauth.allowInsecureRequests]: true };

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function closed(server: Server): Promise<unknown> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
}

async function newKey(kid: string, alg: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' };
}

let issuer: Server;
let issuerUrl: string;
let resource: Server;
let resourceUrl: string;
let service: Service<never>;
/** How often the keys were fetched. */
let fetches: number;

beforeEach(async () => {
  // It warns of its storage in memory.
  vi.spyOn(console, 'warn').mockReturnValue();
  [issuer, resource] = [createServer(), createServer()];
  [issuerUrl, resourceUrl] = [await listening(issuer), await listening(resource)];
  fetches = 0;
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await Promise.all([closed(issuer), closed(resource)]);
  await service.stop();
});

/** Lets the issuer sign with this key from now on, and publish no other one. */
function issueWith(key: JWK): void {
  const alg = key.alg as AsymmetricSigningAlgorithm;
  const provider = new Provider(issuerUrl, {
    jwks: { keys: [key] },
    clients: [
      {
        client_id: client.client_id,
        client_secret: secret,
        id_token_signed_response_alg: alg,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    enabledJWA: { idTokenSigningAlgValues: [alg] },
    scopes: ['orders:read', 'orders:write'],
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: 'orders:read orders:write',
          audience: resourceUrl,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg } },
        }),
      },
    },
    ttl: { ClientCredentials: 600 },
    extraTokenClaims: () => ({ tenant_id: 'north' }),
  });
  const handle = provider.callback() as RequestListener;
  issuer.removeAllListeners('request');
  issuer.on('request', (request, response) => {
    if (request.url === '/jwks') fetches++;
    handle(request, response);
  });
}

async function startService(keySet: KeySetOptions = {}): Promise<void> {
  const authenticator = jwtAuthentication({
    jwks: `${issuerUrl}/jwks`,
    keySet,
    issuer: issuerUrl,
    audience: resourceUrl,
    type: 'at+jwt',
    protectedResource: { resource: resourceUrl, authorizationServers: [issuerUrl] },
  });
  const orders = await ordersService(authenticator);
  service = orders.service as never;
  resource.on('request', await nodeHandler(orders.service));
}

/** Gets a token like a client that knows only the URL of the service. */
async function token(scope = 'orders:read orders:write'): Promise<string> {
  const found = await oauth.resourceDiscoveryRequest(new URL(resourceUrl), insecure);
  const { authorization_servers: servers } = await oauth.processResourceDiscoveryResponse(new URL(resourceUrl), found);
  const server = new URL(servers![0]!);
  const described = await oauth.discoveryRequest(server, { ...insecure, algorithm: 'oidc' });
  const metadata = await oauth.processDiscoveryResponse(server, described);
  const parameters = { scope, resource: resourceUrl };
  const credential = oauth.ClientSecretBasic(secret);
  const granted = await oauth.clientCredentialsGrantRequest(metadata, client, credential, parameters, insecure);
  return (await oauth.processClientCredentialsResponse(metadata, client, granted)).access_token;
}

function send(accessToken: string, method: string, path: string, body?: unknown): Promise<Response> {
  const headers = new Headers({ 'content-type': 'application/json' });
  const text = body === undefined ? null : JSON.stringify(body);
  return oauth.protectedResourceRequest(accessToken, method, new URL(path, resourceUrl), headers, text, insecure);
}

const statusOf = async (accessToken: string): Promise<number> => {
  const answer = await send(accessToken, 'GET', '/orders').catch((error: unknown) => error);
  return (answer as { readonly status: number }).status;
};

describe('oidc-provider', () => {
  it.each(['RS256', 'PS256', 'ES256', 'ES384', 'ES512', 'EdDSA'])('issues tokens with %s', async (alg) => {
    issueWith(await newKey('first', alg));
    await startService();
    const created = await send(await token(), 'POST', '/orders', orderBody());
    expect([created.status, await created.json()]).toEqual([200, { orderId: expect.any(String) as string }]);
  });

  it('changes its key: tokens of the new one are accepted within a second, those of the old one until maxAge', async () => {
    const [first, second] = [await newKey('first', 'ES256'), await newKey('second', 'ES256')];
    issueWith(first);
    await startService({ maxAge: 60 });
    const early = await token();
    expect(await statusOf(early)).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'] });
    issueWith(second);
    const late = await token();
    expect(await statusOf(late)).toBe(401);
    vi.setSystemTime(Date.now() + 1_000);
    expect(await statusOf(late)).toBe(200);
    expect(fetches).toBe(2);
    vi.setSystemTime(Date.now() + 61_000);
    expect([await statusOf(early), await statusOf(late)]).toEqual([401, 200]);
  });
});

describe('oauth4webapi', () => {
  const challengesOf = async (sent: Promise<Response>): Promise<unknown> => {
    const error = await sent.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(oauth.WWWAuthenticateChallengeError);
    const { status, cause } = error as oauth.WWWAuthenticateChallengeError;
    return [status, cause.map(({ scheme, parameters }) => [scheme, parameters])];
  };
  let metadata: { readonly resource_metadata: string };
  beforeEach(async () => {
    metadata = { resource_metadata: `${resourceUrl}/.well-known/oauth-protected-resource` };
    issueWith(await newKey('first', 'ES256'));
    await startService();
  });

  it('reads from the 403 of a token without the permission that its scope is insufficient', async () => {
    const readOnly = await token('orders:read');
    expect(await challengesOf(send(readOnly, 'POST', '/orders', orderBody()))).toEqual([
      403,
      [['bearer', { error: 'insufficient_scope', ...metadata }]],
    ]);
  });

  it('receives a challenge for an invalid token, also if the parameters are invalid', async () => {
    for (const path of ['/orders', '/orders?page=x']) {
      expect(await challengesOf(send('not-a-token', 'GET', path))).toEqual([
        401,
        [['bearer', expect.objectContaining({ error: 'invalid_token', ...metadata })]],
      ]);
    }
  });
});
