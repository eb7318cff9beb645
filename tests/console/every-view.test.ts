/** Every view in both themes against WCAG 2.2 AA, and every action with the keyboard alone. In a real browser. */
import { newId, OperationStarted, runAsHost, SystemEventStream, type Uuid } from '@svc/core';
import { transportMessage } from '@svc/core/testing';
import { inboxOf } from '@svc/core/transport';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { colourRules, violationsOn } from '../pages/accessibility.js';
import { startBrowser } from '../pages/watched-page.js';
import { expectShown, headingOf, openConsole, signIn } from './console-page.js';
import { ConsoleService, orderOf, tokenOf } from './console-service.js';
import { Keyboard } from './keyboard.js';

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

const operator = (): Promise<string> => tokenOf('olga', 'operator');

interface Scheduled {
  readonly commands: readonly { readonly id: string; readonly isRecurring: boolean }[];
}

async function readSchedule(): Promise<Scheduled> {
  const headers = { authorization: `Bearer ${await operator()}` };
  return (await (await fetch(`${shop.url}/console/api/schedule`, { headers })).json()) as Scheduled;
}

async function asOperator(hash: string): Promise<Page> {
  const { page } = await openConsole(browser, shop.url, hash);
  await signIn(page, await operator());
  return page;
}

async function placeOrder(customerId: Uuid = newId()): Promise<string> {
  const { orderId } = await shop.post(clerk, '/orders', { ...orderOf(), customerId });
  return orderId;
}

/** An order whose perspective is stopped, and whose customer got no mail. */
async function cancelOrder(): Promise<string> {
  const orderId = await placeOrder();
  await shop.post(clerk, '/orders/cancel', { orderId, reason: 'changed my mind' });
  return orderId;
}

/** Commands that are put aside because they do not match their type. */
async function failMessages(count: number): Promise<void> {
  const messages = Array.from({ length: count }, () =>
    transportMessage({
      id: newId(),
      type: 'orders.CancelOrder',
      destination: inboxOf('orders'),
      origin: 'shop',
      body: '{"orderId":1}',
      scope: { tenantId: 'north', userId: 'ann' },
    }),
  );
  await shop.broker.transport('shop').publish(messages);
}

/** Every reason that an operator gave, by the kind of the operation. */
async function reasons(): Promise<ReadonlyMap<string, string>> {
  await shop.service.idle();
  const given = new Map<string, string>();
  await runAsHost(async () => {
    for await (const { envelope } of shop.service.eventStore.readStream(SystemEventStream.streamId)) {
      if (!(envelope.payload instanceof OperationStarted)) continue;
      const { kind, arguments: values } = envelope.payload;
      given.set(String((values as { reason?: string } | null)?.reason), kind);
    }
  });
  return given;
}

it('has no view that violates WCAG 2.2 AA, in both themes', async () => {
  shop.faults.mail = shop.faults.summaries = true;
  const orderId = await cancelOrder();
  await placeOrder();
  await failMessages(1);
  const page = await asOperator('#/operations');
  const lists = (await page.evaluate(
    `[...document.querySelectorAll('nav a')].map((link) => link.getAttribute('href'))`,
  )) as string[];
  expect(lists).toHaveLength(11);
  /** The first link of a table that leads to a detail. */
  const detail = async (list: string, to: string): Promise<string> => {
    await page.goto(`${shop.url}/console${list}`);
    const link = page.locator(`main td a[href^="${to}"]`).first();
    await expectShown(link);
    return (await link.getAttribute('href'))!;
  };
  await page.goto(`${shop.url}/console#/perspectives/OrderSummaryPerspective`);
  await expectShown(page.getByText('no summary of cancelled orders'));
  const views = [
    ...lists,
    '#/perspectives/OrderSummaryPerspective',
    '#/reactions/MailCustomer',
    `#/search?id=${orderId.replace(/^./, 'f')}`,
    `#/streams/${orderId}`,
    '#/no-such-view',
    await detail('#/processes', '#/processes/'),
    await detail('#/dead-letters', '#/dead-letters/'),
    await detail('#/dead-letters', '#/chains/'),
    await detail(`#/streams/${orderId}`, '#/events/'),
  ];
  for (const view of views) {
    await page.goto(`${shop.url}/console${view}`);
    await expectShown(page.getByRole('heading', { level: 1 }));
    await expect.poll(() => page.getByText('Loading…').count(), { timeout: 30_000 }).toBe(0);
    await page.emulateMedia({ colorScheme: 'light' });
    expect([view, await violationsOn(page)]).toEqual([view, []]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectShown(page.locator('html[data-theme=dark]'));
    expect([view, await violationsOn(page, colourRules)]).toEqual([view, []]);
  }
}, 240_000);

it('marks erased and secret values, and does not show them', async () => {
  const customerId = newId();
  const orderId = await placeOrder(customerId);
  await shop.post(clerk, '/orders/change-delivery-address', { orderId, label: '2 Side St, Springfield, IL 62701' });
  await shop.service.idle();
  const page = await asOperator(`#/audit?type=orders.ChangeDeliveryAddress`);
  await page.locator('main td a').first().click();
  const marks = page.locator('.marks');
  await expectShown(marks.getByText('secret, never stored'));
  expect(await marks.innerText()).toContain('/street');
  expect(await page.locator('main').innerText()).not.toContain('2 Side St');

  await page.goto(`${shop.url}/console#/streams/${orderId}`);
  await page.getByRole('link', { name: 'orders.OrderPlaced' }).click();
  await expectShown(marks.getByText('personal'));
  await expectShown(page.getByRole('region', { name: 'Body of the event' }).getByText('1 Main St'));
  await runAsHost(() => shop.service.erase(customerId, { reason: 'requested' }));
  // The keys of erased subjects are in memory for a moment.
  const shown = async (): Promise<string> => {
    await page.reload();
    await expectShown(marks);
    return await marks.innerText();
  };
  await expect.poll(shown, { timeout: 60_000 }).toContain('erased');
  expect(await page.locator('main').innerText()).not.toContain('1 Main St');
  expect(await violationsOn(page)).toEqual([]);
}, 240_000);

it('performs every action with the keyboard alone, and records each reason', async () => {
  shop.faults.mail = shop.faults.summaries = true;
  const page = await asOperator('#/overview');
  const keyboard = new Keyboard(page);
  for (let order = 0; order < 3; order++) await cancelOrder();

  await keyboard.open('Perspectives');
  await keyboard.follow('OrderSummaryPerspective');
  await keyboard.waitFor('no summary of cancelled orders');
  shop.faults.summaries = false;
  await keyboard.act('Retry', 'retry one');
  await keyboard.act('Retry all', 'retry all');
  await keyboard.waitFor('No stream is stopped.');
  await keyboard.act('Rebuild', 'rebuild slowly', { 'Limit in events per second (optional)': '1' });
  await keyboard.act('Cancel', 'cancel the rebuild');
  await keyboard.open('Operations');
  await expectShown(page.getByRole('row', { name: 'rebuild slowly' }).getByText('cancelled'));

  await keyboard.open('Reactions');
  await keyboard.follow('MailCustomer');
  await keyboard.act('Skip', 'skip one');
  shop.faults.mail = false;
  await keyboard.act('Retry', 'mail one');
  await keyboard.act('Retry all', 'mail all');
  await keyboard.act('Pause', 'pause mails');
  await keyboard.act('Resume', 'resume mails');

  await placeOrder();
  await placeOrder();
  await keyboard.open('Schedule');
  const scheduled = page.getByRole('region', { name: 'Scheduled commands' }).locator('tbody tr');
  await expectShown(scheduled);
  const count = await scheduled.count();
  await keyboard.act('Run now', 'run one');
  // The first row is the next command, once the list has no more the one that ran.
  await expect.poll(() => scheduled.count(), { timeout: 30_000 }).toBe(count - 1);
  await keyboard.act('Cancel', 'cancel one');

  await failMessages(3);
  await keyboard.open('Dead letters');
  await keyboard.choose('Choose orders.CancelOrder');
  await keyboard.act('Discard', 'discard one');
  await keyboard.follow('orders.CancelOrder');
  const body = JSON.stringify({ orderId: await placeOrder(), reason: 'edited' });
  await keyboard.act('Edit and replay', 'edit one', { Body: body });
  await keyboard.waitFor('It was replaced by the message');

  await keyboard.open('Sign out', 'button');
  await expectShown(page.getByLabel('Token'));
  expect(Object.fromEntries(await reasons())).toMatchObject({
    'retry one': 'perspectives.retry',
    'retry all': 'perspectives.retry',
    'rebuild slowly': 'perspectives.rebuild',
    'cancel the rebuild': 'perspectives.cancel',
    'skip one': 'reactions.skip',
    'mail one': 'reactions.retry',
    'mail all': 'reactions.retry',
    'pause mails': 'reactions.pause',
    'resume mails': 'reactions.resume',
    'run one': 'schedule.run',
    'cancel one': 'schedule.cancel',
    'discard one': 'dead-letters.discard',
    'edit one': 'dead-letters.edit',
  });
}, 240_000);

it('asks until the user answers, also if the row of the action disappears', async () => {
  await placeOrder();
  const page = await asOperator('#/schedule');
  const rows = page.getByRole('region', { name: 'Scheduled commands' }).locator('tbody tr');
  const cancel = page.getByRole('button', { name: 'Cancel', exact: true }).first();
  await cancel.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('too late');
  const { commands } = await readSchedule();
  for (const { id, isRecurring } of commands) {
    if (!isRecurring) await shop.post(await operator(), `/console/api/schedule/${id}/cancel`, { reason: 'too slow' });
  }
  await expect.poll(() => rows.getByRole('button', { name: 'Cancel', exact: true }).count()).toBe(0);
  await dialog.locator('button[type=submit]').click();
  await expectShown(dialog.getByRole('alert'));
  await dialog.getByRole('button', { name: 'Do nothing' }).click();
  await dialog.waitFor({ state: 'detached' });
});

it('replays and discards all dead letters with a cause, of one direction or of all', async () => {
  await failMessages(3);
  const page = await asOperator('#/dead-letters');
  const rows = page.getByRole('region', { name: 'Dead letters' }).locator('tbody tr');
  await expect.poll(() => rows.count(), { timeout: 30_000 }).toBeGreaterThanOrEqual(3);
  const cause = (await rows.first().locator('td').nth(4).innerText()).trim();
  const count = await rows.count();
  expect(await page.getByRole('button', { name: `Discard all ${cause}` }).count()).toBe(0);
  await page.getByLabel('Cause').fill(cause);
  await page.getByLabel('Cause').press('Enter');
  await page.getByRole('button', { name: `Replay all ${cause}` }).click();
  const dialog = page.getByRole('dialog');
  await expectShown(dialog.getByText(`Replay all dead letters with the cause ${cause}?`));
  await dialog.locator('button[type=submit]').click();
  await expectShown(page.getByText('Requested. See its progress under Operations.'));
  expect(await rows.count()).toBe(count);

  await page.getByRole('button', { name: `Discard all ${cause}` }).click();
  await dialog.getByLabel('Reason').fill('trial messages');
  await dialog.locator('button[type=submit]').click();
  await expectShown(page.getByText('No dead letter matches.'));
  await page.getByRole('link', { name: 'Operations' }).click();
  expect(await headingOf(page)).toBe('Operations');
  const ended = page.getByRole('region', { name: 'Ended operations' });
  await expectShown(ended.getByRole('row', { name: 'trial messages' }).getByText('done'));
});
