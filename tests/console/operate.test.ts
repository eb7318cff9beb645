/** What operators change in the console: perspectives, reactions, schedules, processes, dead letters. In a real browser. */
import { newId } from '@svc/core';
import { transportMessage } from '@svc/core/testing';
import { inboxOf } from '@svc/core/transport';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { violationsOn } from '../pages/accessibility.js';
import { startBrowser } from '../pages/watched-page.js';
import { expectShown, openConsole, signIn } from './console-page.js';
import { ConsoleService, orderOf, tokenOf } from './console-service.js';

let browser: Browser;
let shop: ConsoleService;
let clerk: string;

beforeAll(async () => {
  [browser, shop] = await Promise.all([startBrowser(), ConsoleService.start()]);
  clerk = await tokenOf('ann', 'clerk');
});
afterAll(async () => {
  await browser.close();
  await shop.stop();
});

async function openAs(role: 'operator' | 'viewer', hash: string): Promise<Page> {
  const { page } = await openConsole(browser, shop.url, hash);
  await signIn(page, await tokenOf('olga', role));
  return page;
}

async function placedOrder(): Promise<string> {
  const { orderId } = await shop.post(clerk, '/orders', orderOf());
  return orderId;
}

async function cancelledOrder(): Promise<string> {
  const orderId = await placedOrder();
  await shop.post(clerk, '/orders/cancel', { orderId, reason: 'changed my mind' });
  return orderId;
}

/** Clicks a button, and confirms what it asks with a reason. */
async function act(page: Page, button: Locator, reason = 'a test'): Promise<void> {
  await button.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.locator('button[type=submit]').click();
  await dialog.waitFor({ state: 'detached' });
}

const button = (within: Page | Locator, name: string): Locator => within.getByRole('button', { name, exact: true });

it('retries a stopped stream of a perspective after it is fixed, and rebuilds it', async () => {
  shop.faults.summaries = true;
  const orderId = await cancelledOrder();
  const page = await openAs('operator', '#/perspectives');
  await expectShown(page.getByRole('row', { name: 'OrderSummaryPerspective' }).getByText('1 stopped'));
  await page.getByRole('link', { name: 'OrderSummaryPerspective' }).click();
  const stopped = page.getByRole('region', { name: 'Stopped streams' });
  await expectShown(stopped.getByText('no summary of cancelled orders'));
  await expectShown(stopped.getByText(`…${orderId.slice(-8)}`));
  shop.faults.summaries = false;
  await act(page, button(stopped, 'Retry'));
  await expectShown(page.getByText('No stream is stopped.'));

  await expect.poll(() => button(page, 'Rebuild').isEnabled()).toBe(true);
  await act(page, button(page, 'Rebuild'), 'prove that it works');
  await page.getByRole('link', { name: 'Operations' }).click();
  const ended = page.getByRole('region', { name: 'Ended operations' });
  await expectShown(ended.getByRole('row', { name: 'prove that it works' }).getByText('done'));
  await ended.getByRole('link', { name: 'perspectives.rebuild' }).click();
  await expectShown(page.getByRole('region', { name: 'Arguments' }).getByText('"BlueGreen"'));
  expect(await violationsOn(page)).toEqual([]);
});

it('pauses and resumes a reaction, retries a failed stream and skips an event', async () => {
  shop.faults.mail = true;
  const [first, second] = [await cancelledOrder(), await cancelledOrder()];
  const page = await openAs('operator', '#/reactions/MailCustomer');
  const failed = page.getByRole('region', { name: 'Failed streams' });
  const rowOf = (orderId: string): Locator => failed.getByRole('row').filter({ hasText: orderId.slice(-8) });
  await expectShown(rowOf(first).getByText('MailboxUnavailableError'));
  await act(page, button(rowOf(second), 'Skip'), 'the customer was called');
  await rowOf(second).waitFor({ state: 'detached' });
  shop.faults.mail = false;
  await act(page, button(rowOf(first), 'Retry'));
  await rowOf(first).waitFor({ state: 'detached' });
  await act(page, button(page, 'Pause'));
  await expectShown(page.locator('.facts').getByText('paused'));
  await act(page, button(page, 'Resume'));
  await expectShown(button(page, 'Pause'));
});

it('runs a scheduled command now, cancels another one, and shows what the process did', async () => {
  const [due, cancelled] = [await placedOrder(), await placedOrder()];
  const page = await openAs('operator', `#/processes`);
  const processes = page.getByRole('region', { name: 'Instances of processes' });
  await expect
    .poll(async () => {
      await page.reload();
      await expectShown(processes);
      return await processes.innerText();
    })
    .toContain(cancelled);
  await processes.getByRole('link', { name: due }).click();
  await expectShown(page.getByRole('region', { name: 'History' }).getByText('set the timeout'));
  await page.getByRole('link', { name: 'Schedule' }).click();
  const schedule = page.getByRole('region', { name: 'Scheduled commands' });
  const row = schedule.getByRole('row').filter({ hasText: 'orders.CancelUnpaidOrder' });
  await expectShown(row);
  const count = await row.count();
  await act(page, button(row.first(), 'Run now'));
  await expect.poll(() => row.count()).toBe(count - 1);
  await act(page, button(row.first(), 'Cancel'));
  await expect.poll(() => row.count()).toBe(count - 2);
});

it('edits and discards dead letters, and says why a replay failed', async () => {
  const orderId = await placedOrder();
  const letters = ['{"orderId":1}', '{"orderId":2}', '{"orderId":3}'].map((body) =>
    transportMessage({
      id: newId(),
      type: 'orders.CancelOrder',
      destination: inboxOf('orders'),
      origin: 'shop',
      body,
      scope: { tenantId: 'north', userId: 'ann' },
    }),
  );
  await shop.broker.transport('shop').publish(letters);
  const page = await openAs('operator', '#/dead-letters');
  const table = page.getByRole('region', { name: 'Dead letters' });
  await expect.poll(() => table.locator('tbody tr').count()).toBe(3);
  expect(await violationsOn(page)).toEqual([]);

  await table.getByRole('link', { name: 'orders.CancelOrder' }).first().click();
  await expectShown(page.getByRole('region', { name: 'Body of the message' }));
  await button(page, 'Edit and replay').click();
  await page.getByRole('dialog').getByLabel('Body').fill('{"orderId":');
  await page.getByRole('dialog').getByLabel('Reason').fill('wrong id');
  await page.getByRole('dialog').locator('button[type=submit]').click();
  await expectShown(page.getByRole('dialog').getByText('The body is not JSON'));
  await page
    .getByRole('dialog')
    .getByLabel('Body')
    .fill(JSON.stringify({ orderId, reason: 'edited' }));
  await page.getByRole('dialog').locator('button[type=submit]').click();
  await expectShown(page.getByText('It was replaced by the message'));
  await page.goto(`${shop.url}/console#/audit?resource=${orderId}&type=orders.OrderCancelled`);
  await expect
    .poll(async () => {
      await button(page, 'Search').click();
      return await page.locator('main').innerText();
    })
    .toContain('edited');

  await page.goto(`${shop.url}/console#/dead-letters`);
  await expect.poll(() => table.locator('tbody tr').count()).toBe(2);
  await table
    .getByRole('checkbox', { name: /^Choose orders/ })
    .first()
    .check();
  await button(page, 'Replay').click();
  await page.getByRole('dialog').locator('button[type=submit]').click();
  await expectShown(page.getByRole('dialog').getByText('1 dead letter could not be changed'));
  await button(page, 'Do nothing').click();
  await page.getByLabel('Choose all on this page').check();
  await act(page, button(page, 'Discard'), 'trial messages');
  await expectShown(page.getByText('There are no dead letters'));
  await expectShown(page.getByText('Discarded 2 dead letters.'));
});

it('shows migrations, and the versions that run', async () => {
  const page = await openAs('operator', '#/migrations');
  await expectShown(page.getByText('Nothing: the schema is current.'));
  await expectShown(page.getByRole('region', { name: 'Items' }).getByText('infrastructure/events'));
  await page.getByRole('link', { name: 'Deployment' }).click();
  await expectShown(page.getByText('Measured in the last'));
});

it('needs a reason, does nothing when the user declines, and has no actions for users who may only look', async () => {
  const page = await openAs('operator', '#/reactions/MailCustomer');
  await button(page, 'Pause').click();
  const dialog = page.getByRole('dialog', { name: 'Pause MailCustomer?' });
  await dialog.locator('button[type=submit]').click();
  expect(await violationsOn(page)).toEqual([]);
  expect(await dialog.isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Pause');
  expect(await page.locator('.facts').innerText()).not.toContain('paused');

  const viewer = await openAs('viewer', '#/reactions/MailCustomer');
  await expectShown(viewer.locator('.facts').getByText('Place in the log'));
  expect(await viewer.locator('main').getByRole('button').count()).toBe(0);
});
