/** The documentation as a site, in a real browser. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { docs, partsOfSite } from '../../tools/site/parts.mjs';
import { violationsOn } from '../pages/accessibility.js';
import { open, startBrowser } from '../pages/watched-page.js';
import { buildSite, serveSite, type ServedSite } from './served-site.js';

let browser: Browser;
let site: ServedSite;
beforeAll(async () => {
  browser = await startBrowser();
  site = await serveSite(await buildSite());
}, 180_000);
afterAll(async () => {
  await browser.close();
  await site.stop();
});

const desktop = { width: 1280, height: 800 };
const phone = { width: 320, height: 640 };
const shown = [
  { name: 'the start page', path: '/', title: 'svc' },
  { name: 'a guide, with code and a table', path: '/guides/tenants', title: 'Tenants' },
];
/** These have nothing that the two above do not have, and take 4 s of processor time each: `SVC_TEST_BROWSER=all` shows them. */
const more = [
  { name: 'a page of the tutorial', path: '/tutorial/create', title: 'Create a service' },
  { name: 'a reference', path: '/reference/problems', title: 'Problems' },
  { name: 'an explanation', path: '/explanation/guarantees', title: 'Guarantees' },
  { name: 'the decisions', path: '/decisions/', title: 'Decisions' },
];
if (process.env['SVC_TEST_BROWSER'] === 'all') shown.push(...more);

it.each(shown)('shows $name: without complaints, accessible, not wider than the window', async ({ path, title }) => {
  const { page, complaints, rejections } = await open(browser, site.url + path, { viewport: desktop });
  await page.getByRole('heading', { level: 1 }).filter({ hasText: title }).waitFor();
  await page.waitForLoadState('networkidle');
  await expectUsable(page);
  expect([complaints, rejections]).toEqual([[], []]);
  await page.context().close();
});

/** On a desktop, and on a phone, where the navigation is another one. */
async function expectUsable(page: Page): Promise<void> {
  for (const size of [desktop, phone]) {
    await page.setViewportSize(size);
    expect(await violationsOn(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.width);
  }
}

it('finds a page by a word, with the keyboard only', async () => {
  const { page, complaints } = await open(browser, `${site.url}/`, { viewport: desktop });
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox').fill('SVC_COMMAND_WITHOUT_RECEPTOR');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/(?:reference|guides)\//);
  // The address changes before the page does.
  await page.locator('main').getByText('SVC_COMMAND_WITHOUT_RECEPTOR').first().waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('shows code in colors, on every page', () => {
  const pages = readdirSync(site.folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.html'),
  );
  const texts = pages.map((file) => readFileSync(join(site.folder, file), 'utf8'));
  const withCode = texts.filter((text) => text.includes('class="language-ts'));
  expect(withCode.length).toBeGreaterThan(10);
  expect(withCode.filter((text) => !text.includes('style="--shiki-light:'))).toEqual([]);
});

it('draws the diagrams of the architecture: without complaints, and not wider than a phone', async () => {
  const { page, complaints, rejections } = await open(browser, `${site.url}/architecture`, { viewport: phone });
  await page.locator('.svc-diagram svg').nth(2).waitFor();
  expect(await page.locator('.svc-diagram').first().innerText()).toContain('command-routes.ts');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(phone.width);
  expect([complaints, rejections]).toEqual([[], []]);
  await page.context().close();
});

it('lists every page of the documentation once, except single decisions', () => {
  const listed = partsOfSite().flatMap(({ groups }) => groups.flatMap(({ pages }) => pages.map(({ path }) => path)));
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && file !== 'index.md' && !/^decisions\/\d/.test(file))
    .map((file) => file.slice(0, -3));
  expect(listed.toSorted()).toEqual(pages.toSorted());
});
