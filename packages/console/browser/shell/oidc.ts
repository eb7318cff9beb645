/** Signs the user in at an OpenID Connect issuer: authorization code with PKCE, all of it in the page. */
import * as oauth from 'oauth4webapi';
import type { OidcSignIn } from '../../src/contract/index.js';
import { signInWith } from '../api/credential.js';
import { Problem } from '../api/problem.js';
import { endpointProblem, insecurePage, issuerProblem, notOurs } from './oidc-problem.js';
import { restore } from './router.js';

/** What the page remembers while the user is at the issuer. */
interface Begun {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The view that the user wanted. */
  readonly hash: string;
  readonly remember: boolean;
}

const key = `svc console sign-in ${location.pathname}`;

/** The address of the page, which is registered at the issuer. */
const page = location.origin + location.pathname;

/** Leaves the page for the issuer. */
export async function beginSignIn(oidc: OidcSignIn, { remember }: { readonly remember: boolean }): Promise<void> {
  await rethrown(oidc, async () => {
    if (!isSecureContext) throw insecurePage();
    const begun: Begun = {
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      verifier: oauth.generateRandomCodeVerifier(),
      hash: location.hash,
      remember,
    };
    const address = new URL(endpoint(await discovered(oidc), 'authorization_endpoint', oidc));
    const parameters = {
      ...oidc.parameters,
      ...resourceOf(oidc),
      client_id: oidc.clientId,
      redirect_uri: page,
      response_type: 'code',
      scope: oidc.scope,
      state: begun.state,
      nonce: begun.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    sessionStorage.setItem(key, JSON.stringify(begun));
    location.assign(address);
  });
}

/** Whether the issuer has sent the user back. */
export function isAnswered(): boolean {
  const answer = new URLSearchParams(location.search);
  return answer.has('state') && (answer.has('code') || answer.has('error'));
}

/** Reads the answer of the issuer, exchanges its code for a token, and shows the view that the user wanted. */
export async function finishSignIn(oidc: OidcSignIn): Promise<void> {
  const answer = new URL(location.href);
  const stored = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  const begun = stored === null ? null : (JSON.parse(stored) as Begun);
  // A code in the address would be in the history, and sent again with the next reload.
  restore(page + (begun?.hash ?? ''));
  if (begun === null || answer.searchParams.get('state') !== begun.state) throw notOurs();
  await rethrown(oidc, async () => {
    const server = await discovered(oidc);
    const client = { client_id: oidc.clientId };
    const code = oauth.validateAuthResponse(server, client, answer, begun.state);
    endpoint(server, 'token_endpoint', oidc);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      code,
      page,
      begun.verifier,
      { ...insecure(oidc), additionalParameters: resourceOf(oidc) },
    );
    const granted = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: begun.nonce,
      requireIdToken: true,
    });
    const issued = { signOutAt: signOutAddress(server, oidc, granted.id_token!) };
    const value = `Bearer ${granted.access_token}`;
    signInWith({ header: 'authorization', value, issued }, { remember: begun.remember });
  });
}

/** What the issuer says about itself. */
async function discovered(oidc: OidcSignIn): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(oidc.issuer);
  const response = await oauth.discoveryRequest(issuer, { ...insecure(oidc), algorithm: 'oidc' });
  return await oauth.processDiscoveryResponse(issuer, response);
}

/** An endpoint of the issuer. The page may connect only to known origins, but the user may be sent to others. */
function endpoint(
  server: oauth.AuthorizationServer,
  name: 'authorization_endpoint' | 'token_endpoint',
  oidc: OidcSignIn,
): string {
  const address = server[name];
  if (address === undefined || !isSafe(address, oidc)) throw endpointProblem(oidc, name, null);
  const { origin } = new URL(address);
  if (name === 'token_endpoint' && !oidc.origins.includes(origin)) throw endpointProblem(oidc, name, origin);
  return address;
}

/** Where the user signs out of the issuer too; null: the issuer has no such address. */
function signOutAddress(server: oauth.AuthorizationServer, oidc: OidcSignIn, idToken: string): string | null {
  const address = server.end_session_endpoint;
  if (address === undefined || !isSafe(address, oidc)) return null;
  const url = new URL(address);
  url.searchParams.set('id_token_hint', idToken);
  url.searchParams.set('client_id', oidc.clientId);
  url.searchParams.set('post_logout_redirect_uri', page);
  return url.href;
}

function resourceOf({ resource }: OidcSignIn): Record<string, string> {
  return resource === null ? {} : { resource };
}

/** The host permits http for issuers on loopback addresses only. */
function isPlain({ issuer }: OidcSignIn): boolean {
  return issuer.startsWith('http:');
}

function isSafe(address: string, oidc: OidcSignIn): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && isPlain(oidc));
}

function insecure(oidc: OidcSignIn): { [oauth.allowInsecureRequests]?: boolean } {
  return isPlain(oidc) ? { [oauth.allowInsecureRequests]: true } : {};
}

async function rethrown(oidc: OidcSignIn, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    throw error instanceof Problem ? error : issuerProblem(oidc, error);
  }
}
