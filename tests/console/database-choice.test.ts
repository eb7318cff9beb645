/** The choice of a database in the page of the console. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlite } from '@svc/sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { regionOf } from '../databases/pairs.js';
import { violationsOn } from '../pages/accessibility.js';
import { startBrowser } from '../pages/watched-page.js';
import { expectShown, openConsole } from './console-page.js';
import { OperatedShop } from './operated-shop.js';

it('shows and changes only the database that the operator chose', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-console-databases-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [eu, us] = [sqlite({ file: join(folder, 'eu.db') }), sqlite({ file: join(folder, 'us.db') })];
  const shop = await OperatedShop.start((service) =>
    service.useDatabases({ databases: { eu, us }, storageOf: regionOf, default: 'eu' }),
  );
  onTestFinished(() => shop.stop());
  const url = await shop.app.listen({ host: '127.0.0.1', port: 0 });
  const browser = await startBrowser();
  onTestFinished(() => browser.close());
  await shop.deliver('poison', 'us-corp');
  await shop.deliver('poison', 'us-inc');

  const { page } = await openConsole(browser, url, '#/dead-letters');
  await page.getByLabel('Test').fill('operator');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expectShown(page.getByText('There are no dead letters'));
  const choice = page.getByLabel('Database');
  expect(await choice.inputValue()).toBe('eu');
  await choice.selectOption('us');
  const rows = page.getByRole('region', { name: 'Dead letters' }).locator('tbody tr');
  await expect.poll(() => rows.count(), { timeout: 30_000 }).toBe(2);
  expect(await violationsOn(page)).toEqual([]);

  await page.getByLabel('Choose all on this page').check();
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('poison');
  await page.getByRole('dialog').locator('button[type=submit]').click();
  await expectShown(page.getByText('Discarded 2 dead letters.'));
  await expectShown(page.getByText('There are no dead letters'));

  // The choice stays while the operator goes to other views.
  const asked = page.waitForRequest((request) => request.url().includes('/api/migrations'));
  await page.getByRole('link', { name: 'Migrations' }).click();
  expect((await asked).url()).toContain('database=us');
  await choice.selectOption('eu');
  await page.getByRole('link', { name: 'Operations' }).click();
  await expectShown(page.getByText('No operation is open.'));
});
