/** Sign-in at an OpenID Connect issuer, in a real browser. */
import { operatorConsole, type OidcOptions } from '@svc/console';
import type { Service } from '@svc/core';
import { svc } from '@svc/fastify';
import { apiKeyAuthentication, jwtAuthentication, newApiKey } from '@svc/http';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePorts } from '../../tools/ports/index.mjs';
import { ordersService } from '../http-hosts/orders.js';
import { violationsOn } from '../pages/accessibility.js';
import { startBrowser, storedBy } from '../pages/watched-page.js';
import { expectShown, headingOf, openConsole } from './console-page.js';
import { clientId, Issuer, scopes } from './issuer.js';

const [audience, prefix] = ['https://orders.example/', '/shop/api'];

let browser: Browser;
let issuer: Issuer;
let service: Service<never>;
const apps: FastifyInstance[] = [];
/** The console, and one that asks for tokens of another API. */
let [url, elsewhere] = ['', ''];

beforeAll(async () => {
  // The issuer warns of its storage in memory.
  vi.spyOn(console, 'warn').mockReturnValue();
  // The issuer must know the addresses of the consoles, and they that of the issuer.
  const [here, there] = [Fastify(), Fastify()];
  apps.push(here, there);
  const consoles: Promise<string>[] = [];
  const ports = await freePorts(apps.length);
  [url, elsewhere] = ports.map((port) => `http://127.0.0.1:${port}${prefix}`) as [string, string];
  [browser, issuer] = await Promise.all([startBrowser(), Issuer.start([`${url}/console`, `${elsewhere}/console`])]);
  const tokens = jwtAuthentication({ jwks: `${issuer.url}/jwks`, issuer: issuer.url, audience, clockTolerance: 0 });
  service = (await ordersService(tokens)).service as never;
  for (const [index, resource] of [audience, 'https://billing.example/'].entries()) {
    const console = operatorConsole({ title: 'Orders', oidc: oidc({ resource }) });
    await apps[index]!.register(svc(service, { console }), { prefix });
    consoles.push(apps[index]!.listen({ host: '127.0.0.1', port: ports[index]! }));
  }
  await Promise.all(consoles);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await browser.close();
  await Promise.all(apps.map((app) => app.close()));
  await service.stop();
  await issuer.stop();
});

const oidc = (options: Partial<OidcOptions> = {}): OidcOptions => ({
  issuer: issuer.url,
  clientId,
  scope: `openid ${scopes}`,
  ...options,
});

async function open(hash = '', at = url): Promise<Page> {
  return (await openConsole(browser, at, hash)).page;
}

async function leave(page: Page): Promise<void> {
  await page.getByRole('button', { name: `Sign in at ${new URL(issuer.url).host}` }).click();
}

async function signIn(page: Page): Promise<void> {
  await leave(page);
  await page.getByRole('link', { name: 'Allow login' }).click();
  await page.getByRole('link', { name: 'Allow consent' }).click();
}

const isSignedIn = (page: Page): Promise<void> => expectShown(page.getByRole('button', { name: 'Sign out' }));

describe('a user of the console', () => {
  it('signs in at the issuer, returns to the same view with its filters, and signs out there too', async () => {
    const page = await open('#/audit?user=ann&kind=events');
    expect(await violationsOn(page)).toEqual([]);
    await signIn(page);
    await isSignedIn(page);
    await expectShown(page.getByText('olga'));
    expect(await headingOf(page)).toBe('Audit');
    expect(page.url()).toBe(`${url}/console#/audit?user=ann&kind=events`);
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toContain('Bearer ');
    expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).not.toContain('Bearer ');
    expect(await page.evaluate('Object.keys(sessionStorage).length')).toBe(1);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Leave' }).click();
    await expect.poll(() => page.url()).toBe(`${url}/console`);
    expect(await storedBy(page)).not.toContain('Bearer ');
    await leave(page);
    await expectShown(page.getByRole('link', { name: 'Allow login' }));
  });

  it('stays signed in on the device only on request', async () => {
    const page = await open();
    await page.getByLabel('Stay signed in').first().check();
    await signIn(page);
    await isSignedIn(page);
    const other = await page.context().newPage();
    await other.goto(`${url}/console`);
    await isSignedIn(other);
    expect(await other.evaluate('JSON.stringify(localStorage)')).toContain('Bearer ');
  });

  it('signs in again after the token has expired, without a password, and returns to the same view', async () => {
    const page = await open('#/perspectives');
    issuer.lifetime = 5;
    try {
      await signIn(page);
      await isSignedIn(page);
      await expectShown(page.getByText('The token has expired.'));
    } finally {
      issuer.lifetime = 600;
    }
    expect(await storedBy(page)).not.toContain('Bearer ');
    expect(page.url()).toBe(`${url}/console#/perspectives`);
    await leave(page);
    await isSignedIn(page);
    expect(page.url()).toBe(`${url}/console#/perspectives`);
  });

  it('learns that the issuer declined, and can sign in again', async () => {
    const page = await open('#/audit?user=ann');
    await leave(page);
    await page.getByRole('link', { name: 'Allow login' }).click();
    await page.getByRole('link', { name: 'Decline' }).click();
    await expectShown(page.getByRole('alert').getByText('access_denied, the user declined. You declined, or'));
    expect(page.url()).toBe(`${url}/console#/audit?user=ann`);
    expect(await violationsOn(page)).toEqual([]);
    await leave(page);
    await page.getByRole('link', { name: 'Allow consent' }).click();
    await isSignedIn(page);
  });

  it('learns that the service rejects tokens for another audience', async () => {
    const page = await open('', elsewhere);
    await signIn(page);
    await expectShown(
      page.getByRole('alert').getByText('The token is not valid. Sign in again. If the service rejects'),
    );
    expect(await storedBy(page)).not.toContain('Bearer ');
  });

  it('is not signed in by an answer that another tab or site asked for, and stays signed in', async () => {
    const page = await open();
    await page.goto(`${url}/console?code=stolen&state=unknown&iss=${encodeURIComponent(issuer.url)}`);
    await expectShown(page.getByRole('alert').getByText('The answer of the issuer is not for this tab.'));
    expect(page.url()).toBe(`${url}/console`);

    // The tab has begun to sign in, and another site sends its own answer.
    await leave(page);
    await expectShown(page.getByRole('link', { name: 'Allow login' }));
    await page.goto(`${url}/console?code=stolen&state=guessed&iss=${encodeURIComponent(issuer.url)}`);
    await expectShown(page.getByRole('alert').getByText('The answer of the issuer is not for this tab.'));
    await signIn(page);
    await isSignedIn(page);
    await page.goto(`${url}/console?code=stolen&state=unknown&iss=${encodeURIComponent(issuer.url)}`);
    await isSignedIn(page);
  });

  it('is not signed in with a token that was issued for another sign-in', async () => {
    const page = await open();
    await page.route(`${issuer.url}/auth?**`, (route) => {
      const asked = new URL(route.request().url());
      asked.searchParams.set('nonce', 'of-another-sign-in');
      return route.continue({ url: asked.href });
    });
    await signIn(page);
    await expectShown(page.getByRole('alert').getByText(`The answer of ${issuer.url} is not valid: unexpected`));
    expect(await storedBy(page)).not.toContain('Bearer ');
  });

  it('learns that the issuer does not answer, and has a token as a way out', async () => {
    const page = await open();
    await page.route(`${issuer.url}/.well-known/**`, (route) => route.abort());
    await leave(page);
    await expectShown(page.getByRole('alert').getByText(`The page cannot reach ${issuer.url}.`));
    await page.getByText('Use a credential that you have').click();
    await expectShown(page.getByLabel('Token'));
  });

  it('learns which setting is missing if the token endpoint is at another origin', async () => {
    const page = await open();
    await page.route(`${issuer.url}/.well-known/**`, async (route) => {
      const response = await route.fetch();
      const metadata = (await response.json()) as object;
      await route.fulfill({ response, json: { ...metadata, token_endpoint: 'https://oauth2.example/token' } });
    });
    await signIn(page);
    await expectShown(page.getByRole('alert').getByText('Add "https://oauth2.example" to the setting oidc.origins'));
  });
});

describe('the policy of the page', () => {
  const policyOf = async (app: FastifyInstance): Promise<string> =>
    String((await app.inject(`${prefix}/console`)).headers['content-security-policy']);

  it('permits connections to the issuer only if there is one', async () => {
    expect(await policyOf(apps[0]!)).toContain(`connect-src 'self' ${issuer.url};`);
    const plain = Fastify();
    await plain.register(svc(service, { console: operatorConsole() }), { prefix });
    expect(await policyOf(plain)).toContain("connect-src 'self';");
    await plain.close();
  });
});

describe('operatorConsole', () => {
  it.each<[string, Partial<OidcOptions>, string]>([
    ['no URL', { issuer: 'id.example' }, 'oidc.issuer must be a URL, not "id.example".'],
    ['plain http', { issuer: 'http://id.example' }, 'oidc.issuer must be an https: URL; http: is for loopback'],
    ['a query', { issuer: 'https://id.example?a=1' }, 'oidc.issuer must have no query and no fragment'],
    ['no client', { clientId: '' }, 'Set oidc.clientId'],
    ['a scope without openid', { scope: 'profile' }, 'oidc.scope must contain "openid", not "profile".'],
    ['a parameter of the page', { parameters: { state: 'x' } }, 'oidc.parameters must not contain "state"'],
    ['a path as origin', { origins: ['https://a.example/token'] }, 'oidc.origins must contain origins such as'],
    ['a directive as origin', { origins: ['https://a.example; script-src *'] }, 'oidc.origins must'],
  ])('rejects %s', (_name, options, message) => {
    expect(() => operatorConsole({ oidc: oidc(options) })).toThrow(message);
  });

  it('rejects a service that accepts no tokens', async () => {
    const keys = [{ sha256: newApiKey().sha256, scope: { userId: 'ann' }, permissions: [] }];
    const { service: withKeys } = await ordersService(apiKeyAuthentication({ keys }));
    const app = Fastify();
    await expect(app.register(svc(withKeys, { console: operatorConsole({ oidc: oidc() }) })).ready()).rejects.toThrow(
      'operatorConsole({ oidc }) needs an authenticator that accepts the tokens of the issuer.',
    );
    await withKeys.stop();
  });
});
