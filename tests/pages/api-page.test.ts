/** The API page in a real browser: what it shows, and "Try it out" with each credential. */
import { newId } from '@svc/core';
import type { OpenApiDocument } from '@svc/http/hosting';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { as, orderBody } from '../http-hosts/orders.js';
import { expectOnly, type UpstreamViolation } from './accessibility.js';
import { places, serveOrders, writerToken, type ServedOrders } from './served-orders.js';
import { open, startBrowser, storedBy, type WatchedPage } from './watched-page.js';

let browser: Browser;
beforeAll(async () => void (browser = await startBrowser()));
afterAll(() => browser.close());

/** Opens the form of a scheme in the dialog "Authorize". */
async function formOf(page: Page, scheme: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Authorize' }).click();
  return page.locator('.dialog-ux .modal-ux .auth-container').filter({ hasText: scheme });
}

async function authorize(page: Page, scheme: string, credential: string): Promise<void> {
  const form = await formOf(page, scheme);
  await form.locator('input').fill(credential);
  await form.getByRole('button', { name: 'Apply credentials' }).click();
  await form.getByRole('button', { name: 'Close' }).click();
}

async function forget(page: Page, scheme: string): Promise<void> {
  const form = await formOf(page, scheme);
  await form.getByRole('button', { name: 'Remove authorization' }).click();
  await form.getByRole('button', { name: 'Close' }).click();
}

/** Opens the operation that places orders. */
async function tryOrders(page: Page): Promise<Locator> {
  const operation = page.locator('.opblock-post').filter({ has: page.locator('[data-path="/orders"]') });
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  return operation;
}

/** Sends an order and returns the shown status and response. */
async function execute(operation: Locator, body: unknown): Promise<{ status: string; text: string }> {
  await operation.locator('textarea.body-param__text').fill(JSON.stringify(body));
  const answered = operation.page().waitForResponse((response) => response.url().endsWith('/orders'));
  await operation.getByRole('button', { name: 'Execute', exact: true }).click();
  const status = String((await answered).status());
  const shown = operation.locator('.live-responses-table .response').filter({ hasText: status });
  return { status, text: await shown.innerText() };
}

/** Swagger UI 5.34 creates these elements. A style cannot change their roles, and React restores its own attributes. */
const upstream: readonly UpstreamViolation[] = [
  {
    rule: 'nested-interactive',
    element: 'class="opblock-summary-control"',
    reason: 'The button that opens an operation contains the link to it. Both work with the keyboard.',
  },
  {
    rule: 'heading-order',
    element: '<h',
    reason: 'The levels of the headings of tags and dialogs skip one.',
  },
  {
    rule: 'label-content-name-mismatch',
    element: 'modal-btn auth',
    reason: 'The buttons of credentials say "Authorize" and "Logout", and have other names for screen readers.',
  },
];

describe.each(places)('the API page on $host, prefix "$prefix"', (place) => {
  // A page takes seconds of processor time to load, so each place has one.
  let orders: ServedOrders;
  let watched: WatchedPage;
  beforeAll(async () => {
    orders = await serveOrders(place);
    watched = await open(browser, `${orders.url}/docs`, { colorScheme: 'dark' });
  });
  afterAll(async () => {
    await watched.page.context().close();
    await orders.stop();
  });

  it('shows every operation of the document, in dark colors if the browser prefers them', async () => {
    const { page, complaints, rejections } = watched;
    await page.locator('.opblock').first().waitFor();
    const { paths } = (await (await fetch(`${orders.url}/openapi.json`)).json()) as OpenApiDocument;
    const expected = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const shown = await page
      .locator('.opblock-summary')
      .evaluateAll((summaries) =>
        summaries.map(
          (summary) =>
            `${summary.querySelector('.opblock-summary-method')!.textContent} ${summary.querySelector('[data-path]')!.getAttribute('data-path')}`,
        ),
      );
    expect(shown.length).toBeGreaterThan(10);
    expect(shown.toSorted()).toEqual(expected.toSorted());
    expect(await page.title()).toBe('API');
    const background = await page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    expect(background).not.toBe('rgba(0, 0, 0, 0)');
    expect({ complaints, rejections }).toEqual({ complaints: [], rejections: [] });
  });

  it('places an order with an API key and with a token, and shows the problems of rejected requests', async () => {
    const { page, complaints, rejections } = watched;
    const operation = await tryOrders(page);
    const anonymous = await execute(operation, orderBody());
    expect(anonymous).toMatchObject({ status: '401', text: containing('urn:svc:problem:unauthenticated') });

    const token = await writerToken();
    await authorize(page, 'Bearer', token);
    const invalid = await execute(operation, orderBody({ lineItems: [] }));
    expect(invalid).toMatchObject({ status: '400', text: containing('"pointer": "/lineItems"') });
    await expectOrder(operation);

    await forget(page, 'Bearer');
    expect(await execute(operation, orderBody())).toMatchObject({ status: '401' });
    const key = as.writer['x-api-key'];
    await authorize(page, 'ApiKey', key);
    await expectOrder(operation);
    const stored = await storedBy(page);
    expect([stored.includes(token), stored.includes(key)]).toEqual([false, false]);
    expect({ complaints, rejections }).toEqual({ complaints: [], rejections: [401, 400, 401] });
  });

  it.each(['dark', 'light'] as const)('is accessible in %s colors, also on a phone', async (colorScheme) => {
    const { page } = watched;
    await page.emulateMedia({ colorScheme });
    const list = page.locator('#operations-audit-queryAudit');
    if ((await list.locator('.opblock-body').count()) === 0) await list.locator('.opblock-summary-control').click();
    await list.locator('select').first().waitFor();
    await page.getByRole('button', { name: 'Authorize' }).click();
    await expectOnly(upstream, page);
    await page.getByRole('button', { name: 'Close', exact: true }).first().click();
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  /** Places an order on the page, and expects that the service has it. */
  async function expectOrder(operation: Locator): Promise<void> {
    const customerId = newId();
    const { status, text } = await execute(operation, orderBody({ customerId }));
    expect(status).toBe('200');
    const [, orderId] = /"orderId": "([^"]+)"/.exec(text)!;
    await expect
      .poll(async () => (await fetch(`${orders.url}/orders/${orderId}`, { headers: as.reader })).json())
      .toMatchObject({ orderId, customerId });
  }
});

const containing = (text: string): string => expect.stringContaining(text) as string;
