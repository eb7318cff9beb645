/** Audit, events, causal chains, streams, models, overview and access in the console, in a real browser. */
import { readFileSync } from 'node:fs';
import { operatorConsole } from '@svc/console';
import { newId, runAsHost } from '@svc/core';
import { wrap } from '@svc/core/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OrderCancelled } from '../../examples/orders/src/orders/order-events.js';
import { startBrowser, type WatchedPage } from '../pages/watched-page.js';
import { expectShown, headingOf, openConsole, signIn } from './console-page.js';
import { ConsoleService, orderOf, tokenOf } from './console-service.js';

let browser: Browser;
let shop: ConsoleService;
let clerk: string;
let orderId: string;

beforeAll(async () => {
  [browser, shop] = await Promise.all([startBrowser(), ConsoleService.start()]);
  clerk = await tokenOf('ann', 'clerk');
  ({ orderId } = await shop.post(clerk, '/orders', orderOf()));
  await shop.post(clerk, '/orders/cancel', { orderId, reason: 'The customer found a better price' });
  await shop.service.idle();
});
afterAll(async () => {
  await browser.close();
  await shop.stop();
});

async function openAs(token: Promise<string>, hash = '', options = {}): Promise<WatchedPage> {
  const watched = await openConsole(browser, shop.url, hash, options);
  await signIn(watched.page, await token);
  return watched;
}

const asOperator = (hash = '', options = {}): Promise<WatchedPage> =>
  openAs(tokenOf('olga', 'operator'), hash, options);

async function search(page: Page, id: string): Promise<void> {
  await page.keyboard.press('/');
  await page.keyboard.type(id);
  await page.keyboard.press('Enter');
}

it('answers who cancelled an order, and why the customer got no mail, in at most six clicks from its id', async () => {
  const { page, complaints } = await asOperator();
  let clicks = 0;
  const click = async (name: string): Promise<void> => {
    clicks++;
    await page.locator('main').getByRole('link', { name }).first().click();
  };
  await search(page, orderId);
  await expect.poll(() => page.url()).toContain(`#/streams/${orderId}`);
  await click('orders.OrderCancelled');
  await expect.poll(() => headingOf(page)).toBe('orders.OrderCancelled');
  const facts = page.locator('.facts').first();
  await expectShown(facts.getByText('ann', { exact: true }));
  await expectShown(facts.getByText('The customer found a better price'));
  const chain = page.getByRole('list', { name: 'Causes and consequences' });
  await expectShown(chain.getByText('orders.CancelOrder'));
  await expectShown(chain.getByText('MailboxUnavailableError: 550 mailbox of the customer unavailable'));
  expect(clicks).toBeLessThanOrEqual(6);
  expect(complaints).toEqual([]);
});

describe('the audit', () => {
  it('has its filters in the address, so that a link shows the same', async () => {
    const { page } = await asOperator('#/audit');
    await page.getByLabel('User', { exact: true }).fill('ann');
    await page.getByLabel('Type', { exact: true }).fill('orders.OrderCancelled');
    await page.getByLabel('Type', { exact: true }).press('Enter');
    await expect.poll(() => page.url()).toContain('user=ann&type=orders.OrderCancelled');
    const rows = page.getByRole('region', { name: 'Audit records' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(1);
    const text = await rows.innerText();
    expect(text).toContain('The customer found a better price');
    await page.reload();
    await expect.poll(async () => (await rows.allInnerTexts()).join()).toBe(text);
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => rows.count()).toBeGreaterThan(1);
  });

  it('explains an empty result, and what is wrong with a filter', async () => {
    const { page } = await asOperator('#/audit?user=nobody');
    await expectShown(page.getByText('No record matches.'));
    await page.getByLabel('Stream', { exact: true }).fill('no id');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expectShown(page.getByRole('alert').getByText('/resource'));
  });

  it('exports what the filters select', async () => {
    const { page } = await asOperator('#/audit?type=orders.OrderCancelled');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const text = readFileSync(await (await download).path(), 'utf8');
    expect(text.trim().split('\n')).toHaveLength(2);
    expect(text).toContain('The customer found a better price');
  });

  it('loads further pages while the user scrolls, and renders only the rows in sight', async () => {
    for (let order = 0; order < 40; order++) await shop.post(clerk, '/orders', orderOf(`${order} Side St`));
    await shop.service.idle();
    const { page } = await asOperator('#/audit');
    const table = page.getByRole('region', { name: 'Audit records' });
    await expectShown(table.locator('tbody tr'));
    const loaded = async (): Promise<number> =>
      Number.parseInt((await page.locator('.table-foot').innerText()).replace(',', ''), 10);
    expect(await loaded()).toBe(100);
    await expect
      .poll(async () => {
        await page.evaluate(`document.querySelector('.endless').scrollTo(0, 1e9)`);
        return await page.locator('.table-foot').innerText();
      })
      .toContain('all that match');
    expect(await loaded()).toBeGreaterThan(150);
    expect(await table.locator('tbody tr').count()).toBeLessThan(90);
    const last = String((await loaded()) + 1);
    await expect
      .poll(async () => {
        await page.evaluate(`document.querySelector('.endless').scrollTo(0, 1e9)`);
        return await table.locator('tbody tr').last().getAttribute('aria-rowindex');
      })
      .toBe(last);
  });
});

it('shows markup and text of both directions in bodies as text', async () => {
  const street = '<script>document.title = "gone"</script>\u202Egnp.exe';
  const { orderId: evil } = await shop.post(clerk, '/orders', orderOf(street));
  const { page, complaints } = await asOperator(`#/streams/${evil}`);
  await page.getByRole('link', { name: 'orders.OrderPlaced' }).click();
  await expectShown(page.getByText('<script>document.title = "gone"</script>⟨U+202E⟩gnp.exe'));
  await expect.poll(() => page.title()).toContain('orders.OrderPlaced');
  expect(await page.locator('#console script').count()).toBe(0);
  expect(complaints).toEqual([]);
});

it('shows the beginning of a body of megabytes, and saves all of it', async () => {
  const streamId = newId();
  const scope = { tenantId: 'north', userId: 'ann' };
  const event = wrap('orders.OrderCancelled', new OrderCancelled(streamId, 'long '.repeat(400_000)), {
    streamId,
    scope,
  });
  await runAsHost(() => shop.service.eventStore.append(streamId, event));
  const { page } = await asOperator(`#/events/${event.id}`);
  await expect.poll(() => page.locator('main').innerText()).toContain('It has 2 MB, too many to show.');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const body = JSON.parse(readFileSync(await (await download).path(), 'utf8')) as { reason: string };
  expect(body.reason).toHaveLength(2_000_000);
});

it('links an event to its trace', async () => {
  const [streamId, traceId] = [newId(), '0af7651916cd43dd8448eb211c80319c'];
  const event = wrap('orders.OrderCancelled', new OrderCancelled(streamId, 'traced'), {
    streamId,
    scope: { tenantId: 'north', userId: 'ann' },
    metadata: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
  });
  await runAsHost(() => shop.service.eventStore.append(streamId, event));
  const { page } = await asOperator(`#/events/${event.id}`);
  const link = page.locator('.facts').getByRole('link', { name: traceId });
  await expectShown(link);
  expect(await link.getAttribute('href')).toBe(`https://traces.example/trace/${traceId}`);
});

it.each(['traces.example/{traceId}', 'javascript:alert("{traceId}")', 'https://traces.example/'])(
  'rejects %j as the address of traces',
  (traceUrl) => {
    expect(() => operatorConsole({ traceUrl })).toThrow('traceUrl must be a URL with {traceId}');
  },
);

it('shows the models of a stream at any of its positions', async () => {
  const { page } = await asOperator(`#/streams/${orderId}`);
  const model = page.getByRole('region', { name: 'OrderSummaryPerspective' });
  await expectShown(model.getByText('"cancelled"'));
  await page.getByRole('button', { name: 'First' }).click();
  await expectShown(model.getByText('"open"'));
  expect(page.url()).toContain('position=0');
  await page.reload();
  await expectShown(model.getByText('"open"'));
});

it('shows what an event changed in models', async () => {
  const { page } = await asOperator(`#/streams/${orderId}`);
  await page.getByRole('link', { name: 'orders.OrderCancelled' }).click();
  const row = page
    .getByRole('region', { name: 'What changed in OrderSummaryPerspective' })
    .getByRole('row', { name: '/status' });
  await expectShown(row);
  expect(await row.getByRole('cell').allInnerTexts()).toEqual(['changed', '/status', '"open"', '"cancelled"']);
});

it('shows the state of the service and its checks, lag and hosts', async () => {
  const { page } = await asOperator('#/overview');
  await expectShown(page.getByRole('region', { name: 'Lag' }).getByText('MailCustomer'));
  await expectShown(page.getByRole('region', { name: 'Hosts' }).getByText('this host'));
  await expectShown(page.getByRole('region', { name: 'Health checks' }).getByText('Healthy'));
});

it('shows denied access, and who has which permissions', async () => {
  await expect(shop.post(await tokenOf('tom', 'auditor'), '/orders', orderOf())).rejects.toThrow('403');
  await shop.service.idle();
  const { page } = await asOperator('#/access');
  await expectShown(page.getByRole('region', { name: 'By permission' }).getByText('orders:write'));
  await expectShown(page.getByRole('region', { name: 'Roles and permissions' }).getByText('ann'));
});

it('shows records of one tenant to its auditor, and nothing of another', async () => {
  const south = await shop.post(await tokenOf('sue', 'clerk', 'south'), '/orders', orderOf());
  const { page } = await openAs(tokenOf('tom', 'auditor'), '#/audit?type=orders.OrderPlaced');
  const table = page.getByRole('region', { name: 'Audit records' });
  await expectShown(table.getByText('orders.OrderPlaced'));
  expect(await table.innerText()).not.toContain('south');
  await page.goto(`${shop.url}/console#/streams/${south.orderId}`);
  await expectShown(page.getByRole('alert'));
  await page.goto(`${shop.url}/console#/overview`);
  await expectShown(page.getByRole('alert').getByText('Your roles do not permit this'));
});

it('continues by itself after a restart of the service', async () => {
  const { page } = await asOperator('#/overview');
  await expectShown(page.getByRole('region', { name: 'Lag' }));
  await shop.restart(async () => {
    await expectShown(page.getByText('The service does not answer'));
    await expectShown(page.getByRole('region', { name: 'Lag' }));
  });
  await expect.poll(() => page.getByText('The service does not answer').count()).toBe(0);
  await expectShown(page.getByRole('region', { name: 'Lag' }));
});

it('fits into 320 px', async () => {
  const { page } = await asOperator('#/audit');
  await page.locator('main td a').first().click();
  await expectShown(page.getByRole('list', { name: 'Causes and consequences' }));
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
});
