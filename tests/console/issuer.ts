/** A real OpenID Connect issuer on a loopback port, with the pages on which users sign in, consent and sign out. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

/** What users can ask for. */
export const scopes = 'system:read system:write tenants:act';
export const clientId = 'console';

export class Issuer {
  readonly url: string;
  /** How long an access token is valid, in seconds. */
  lifetime = 600;
  readonly #server: Server;
  readonly #provider: Provider;

  private constructor(server: Server, provider: Provider, url: string) {
    [this.#server, this.#provider, this.url] = [server, provider, url];
    const handle = provider.callback() as RequestListener;
    server.on('request', (request, response) => {
      if (request.url!.startsWith('/interaction/')) void this.#interact(request, response);
      else handle(request, response);
    });
  }

  /** `consoles`: the addresses of the pages that may send users here. */
  static async start(consoles: readonly string[]): Promise<Issuer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const lifetime = (): number => issuer.lifetime;
    const provider = new Provider(url, {
      jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'first', alg: 'ES256', use: 'sig' }] },
      clients: [
        {
          client_id: clientId,
          token_endpoint_auth_method: 'none',
          id_token_signed_response_alg: 'ES256',
          redirect_uris: [...consoles],
          post_logout_redirect_uris: [...consoles],
        },
      ],
      clientBasedCORS: (_context, origin) => consoles.some((console) => new URL(console).origin === origin),
      scopes: ['openid', ...scopes.split(' ')],
      cookies: { keys: ['a key of the cookies of this test'] },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      features: {
        devInteractions: { enabled: false },
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: (context, form) => {
            context.body = `<!doctype html><title>Sign out</title>${form}<button form="op.logoutForm" name="logout" value="yes">Leave</button>`;
          },
        },
        resourceIndicators: {
          enabled: true,
          useGrantedResource: () => true,
          getResourceServerInfo: (_context, audience) => ({
            scope: scopes,
            audience,
            accessTokenFormat: 'jwt',
            accessTokenTTL: lifetime(),
            jwt: { sign: { alg: 'ES256' } },
          }),
        },
      },
    });
    const issuer = new Issuer(server, provider, url);
    return issuer;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Shows a page with what the issuer asks for, and continues with the answer of the user. */
  async #interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params, session } = await this.#provider.interactionDetails(request, response);
    const choice = new URL(request.url!, this.url).searchParams.get('choice');
    if (choice === null) {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<!doctype html><title>${prompt.name}</title><a href="?choice=yes">Allow ${prompt.name}</a> <a href="?choice=no">Decline</a>`,
      );
      return;
    }
    const result =
      choice === 'no'
        ? { error: 'access_denied', error_description: 'the user declined' }
        : prompt.name === 'login'
          ? { login: { accountId: 'olga' } }
          : { consent: { grantId: await this.#grant(session!.accountId, params['resource'] as string) } };
    await this.#provider.interactionFinished(request, response, result, { mergeWithLastSubmission: choice !== 'no' });
  }

  async #grant(accountId: string, resource: string): Promise<string> {
    const grant = new this.#provider.Grant({ accountId, clientId });
    grant.addOIDCScope(`openid ${scopes}`);
    grant.addResourceScope(resource, scopes);
    return await grant.save();
  }
}
