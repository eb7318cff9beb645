/** Sign-in, themes, keyboard and widths of the console's page, in a real browser. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { violationsOn } from '../pages/accessibility.js';
import { startBrowser, storedBy } from '../pages/watched-page.js';
import { expectShown, headingOf, openConsole, signIn } from './console-page.js';
import { ConsoleService, prefix, tokenOf } from './console-service.js';

let browser: Browser;
let shop: ConsoleService;
beforeAll(async () => {
  [browser, shop] = await Promise.all([startBrowser(), ConsoleService.start()]);
});
afterAll(async () => {
  await browser.close();
  await shop.stop();
});

it('loads at most 200 kB, all of it from its host, with a content security policy', async () => {
  const { page, complaints } = await openConsole(browser, shop.url);
  await expectShown(page.getByLabel('Token'));
  const loaded = (await page.evaluate(
    `performance.getEntries().filter(({ name }) => name.startsWith('http')).map((entry) => [new URL(entry.name).pathname, entry.encodedBodySize])`,
  )) as [string, number][];
  const paths = ['console', 'console/api/sign-in', 'console/console.css', 'console/console.js'];
  expect(loaded.map(([path]) => path).toSorted()).toEqual(paths.map((path) => `${prefix}/${path}`));
  const total = loaded.reduce((sum, [, size]) => sum + size, 0);
  expect(total).toBeGreaterThan(20_000);
  expect(total).toBeLessThan(200_000);
  const response = await fetch(`${shop.url}/console`);
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(complaints).toEqual([]);
});

it('asks for a credential, says why it was not accepted, and stores it for the tab only', async () => {
  const { page, complaints } = await openConsole(browser, shop.url);
  await page.getByLabel('Token').fill('no token');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expectShown(page.getByText('The service did not accept the credential'));
  expect(await storedBy(page)).not.toContain('no token');
  expect(await violationsOn(page)).toEqual([]);

  const token = await tokenOf('olga', 'operator');
  await signIn(page, token);
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).toContain(token);
  expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).not.toContain(token);
  await page.reload();
  await expectShown(page.getByText('olga'));

  const other = await page.context().newPage();
  await other.goto(`${shop.url}/console`);
  await expectShown(other.getByLabel('Token'));

  await page.getByRole('button', { name: 'Sign out' }).click();
  await expectShown(page.getByLabel('Token'));
  expect(await storedBy(page)).not.toContain(token);
  expect(complaints).toEqual([]);
});

it('stays signed in on the device if the user asks for it, until the user signs out', async () => {
  const { page } = await openConsole(browser, shop.url);
  await page.getByLabel('Stay signed in').check();
  await signIn(page, await tokenOf('olga', 'operator'));
  const other = await page.context().newPage();
  await other.goto(`${shop.url}/console`);
  await other.getByRole('button', { name: 'Sign out' }).click();
  await expectShown(other.getByLabel('Token'));
  // Browsers pass changes of the storage to other tabs a moment later.
  await expect.poll(() => page.evaluate('Object.keys(localStorage)')).toEqual([]);
  await page.reload();
  await expectShown(page.getByLabel('Token'));
});

it('says that the permission is missing to users who may not see the console', async () => {
  const { page } = await openConsole(browser, shop.url);
  await page.getByLabel('Token').fill(await tokenOf('carl', 'clerk'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expectShown(page.getByText('you need the permission system:read'));
  await page.getByRole('button', { name: 'Sign in as another user' }).click();
  await expectShown(page.getByLabel('Token'));
});

it('shows views of the whole service only to operators', async () => {
  const { page } = await openConsole(browser, shop.url);
  await signIn(page, await tokenOf('tom', 'auditor'));
  expect(await page.locator('nav a').allInnerTexts()).toEqual(['Audit', 'Access', 'Dead letters']);
  expect(await headingOf(page)).toBe('Audit');
  await expectShown(page.getByText('of north'));
});

it('is used with the keyboard alone: skip link, search, navigation, focus on the heading', async () => {
  const { page } = await openConsole(browser, shop.url);
  await page.getByLabel('Token').focus();
  await page.keyboard.type(await tokenOf('olga', 'operator'));
  await page.keyboard.press('Enter');
  await expectShown(page.getByRole('button', { name: 'Sign out' }));
  await page.locator('body').press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
  await page.keyboard.press('/');
  expect(await page.evaluate('document.activeElement.name')).toBe('id');
  await page.getByRole('link', { name: 'Migrations' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Migrations');
  expect(await page.title()).toBe('Migrations · Orders console');
});

it('has a light and a dark theme, which the user can choose', async () => {
  const { page } = await openConsole(browser, shop.url, '', { colorScheme: 'dark' });
  await signIn(page, await tokenOf('olga', 'operator'));
  const ground = (): Promise<unknown> => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const dark = await ground();
  await page.getByLabel('Theme').selectOption('Light');
  const light = await ground();
  expect(light).not.toBe(dark);
  await page.reload();
  await expectShown(page.getByLabel('Theme'));
  expect(await ground()).toBe(light);
});
