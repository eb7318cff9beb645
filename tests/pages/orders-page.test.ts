/** The page of examples/orders in a real browser: orders appear by themselves, and each tenant sees its own. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { tokenFor } from '../../examples/orders/src/testing/secured-orders.js';
import { clerkOf, orderOf, startOrders, type OrdersOnSqlite } from '../client/orders-on-sqlite.js';
import { violationsOn } from './accessibility.js';
import { open, startBrowser, storedBy, type WatchedPage } from './watched-page.js';

let browser: Browser;
let orders: OrdersOnSqlite;
beforeAll(async () => {
  browser = await startBrowser();
  orders = await startOrders();
});
afterAll(async () => {
  await browser.close();
  await orders.stop();
});

async function openPage(): Promise<WatchedPage> {
  const watched = await open(browser, `${orders.url}/`, { viewport: { width: 320, height: 640 } });
  onTestFinished(() => watched.page.context().close());
  return watched;
}

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** As curl does. */
async function post(path: string, token: string, body: unknown): Promise<unknown> {
  const response = await fetch(orders.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return await response.json();
}

const placeOrder = async (token: string): Promise<string> =>
  ((await post('/orders', token, orderOf(3))) as { orderId: string }).orderId;

const shownOn = (page: Page): Promise<string[]> => page.locator('#orders tr td:first-child').allInnerTexts();

it('shows an order of the tenant when it is placed, also after a restart of the host, and none of another tenant', async () => {
  const [northToken, southToken] = [await clerkOf('page-north'), await clerkOf('page-south')];
  const [north, south] = [await openPage(), await openPage()];
  await signIn(north.page, northToken);
  await signIn(south.page, southToken);
  for (const { page } of [north, south]) await page.getByText('There is no order yet.').waitFor();

  const first = await placeOrder(northToken);
  await expect.poll(() => shownOn(north.page), { timeout: 20_000 }).toEqual([first]);
  await south.page.getByRole('button', { name: 'Place an order' }).click();
  await expect.poll(async () => (await shownOn(south.page)).length, { timeout: 20_000 }).toBe(1);
  expect(await shownOn(south.page)).not.toContain(first);
  expect(await south.page.locator('#orders').innerText()).toContain('open');

  await orders.restart();
  const second = await placeOrder(northToken);
  await expect.poll(() => shownOn(north.page), { timeout: 20_000 }).toEqual([second, first]);
  expect(await shownOn(south.page)).toHaveLength(1);

  expect(await storedBy(north.page)).not.toContain(northToken);
  expect(await violationsOn(north.page)).toEqual([]);
  expect(await north.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
}, 60_000);

it('asks callers that are not known to sign in, and says what is wrong with a token', async () => {
  const { page, complaints, rejections } = await openPage();
  const problem = page.locator('#problem');
  await problem.getByText('401').waitFor();
  await signIn(page, 'no token');
  await expect.poll(() => rejections.length).toBeGreaterThan(1);
  await page.getByLabel('Token').waitFor();
  expect(await page.getByRole('button', { name: 'Place an order' }).isDisabled()).toBe(true);
  expect(await violationsOn(page)).toEqual([]);

  await signIn(page, await clerkOf('page-east'));
  await page.getByText('There is no order yet.').waitFor();
  expect(await problem.textContent()).toBe('');
  expect(complaints).toEqual([]);
  expect(rejections.every((status) => status === 401)).toBe(true);
}, 60_000);

it('shows nothing any more when the role of the caller is revoked', async () => {
  const tenant = { tenant_id: 'page-west' };
  const [admin, bob] = [await tokenFor('eve', { ...tenant, roles: ['admin'] }), await tokenFor('bob', tenant)];
  await post('/roles/assign', admin, { userId: 'bob', role: 'clerk' });
  const { page } = await openPage();
  await signIn(page, bob);
  const order = await placeOrder(await clerkOf(tenant.tenant_id));
  await expect.poll(() => shownOn(page), { timeout: 20_000 }).toEqual([order]);
  await post('/roles/revoke', admin, { userId: 'bob', role: 'clerk' });
  await page.getByText('Not connected.').waitFor();
  expect(await shownOn(page)).toEqual([]);
}, 60_000);
