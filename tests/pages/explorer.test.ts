/** The GraphQL explorer in a real browser: operations with a credential, the documentation of the schema, its dialogs. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { as, orderBody } from '../http-hosts/orders.js';
import { expectOnly, type UpstreamViolation } from './accessibility.js';
import { places, serveOrders, type ServedOrders } from './served-orders.js';
import { open, startBrowser, storedBy, type WatchedPage } from './watched-page.js';

let browser: Browser;
beforeAll(async () => void (browser = await startBrowser()));
afterAll(() => browser.close());

const operationEditor = '.graphiql-query-editor';

/** Replaces the text of an editor. */
async function enter(page: Page, editor: string, text: string): Promise<void> {
  await page.locator(`${editor} .CodeMirror`).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

async function enterTool(page: Page, name: 'Variables' | 'Headers', value: unknown): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  await enter(page, '.graphiql-editor-tool .graphiql-editor:not(.hidden)', JSON.stringify(value));
}

/** Runs what is entered, and returns the shown response. */
async function run(page: Page): Promise<unknown> {
  const answered = page.waitForResponse((response) => response.url().endsWith('/graphql'));
  await page.getByRole('button', { name: 'Execute query (Ctrl-Enter)' }).click();
  const answer: unknown = await (await answered).json();
  const shown = page.locator('.result-window .CodeMirror-line');
  const withoutSpace = (text: string): string => text.replaceAll(/\s/g, '');
  await expect
    .poll(async () => withoutSpace((await shown.allTextContents()).join('')))
    .toBe(withoutSpace(JSON.stringify(answer)));
  return answer;
}

/** GraphiQL 4 creates these elements. A style cannot change their roles, and React restores its own attributes. */
const upstream: readonly UpstreamViolation[] = [
  {
    rule: 'nested-interactive',
    element: 'role="tab"',
    reason: 'A tab contains the buttons that select and close it.',
  },
  {
    rule: 'scrollable-region-focusable',
    element: 'class="CodeMirror-scroll"',
    reason: 'The cursor of the editor scrolls it; the focus is in a text area outside of the region.',
  },
];

describe.each(places)('the explorer on $host, prefix "$prefix"', (place) => {
  // A page takes seconds of processor time to load, so each place has one.
  let orders: ServedOrders;
  let watched: WatchedPage;
  beforeAll(async () => {
    orders = await serveOrders(place);
    watched = await open(browser, `${orders.url}/graphql`);
  });
  afterAll(async () => {
    await watched.page.context().close();
    await orders.stop();
  });

  it('shows the documentation of the schema to a caller, and opens its dialogs', async () => {
    const { page, complaints } = watched;
    await expect.poll(() => page.locator('.result-window').innerText()).toContain('UNAUTHENTICATED');
    await enterTool(page, 'Headers', as.reader);
    await page.getByRole('button', { name: 'Re-fetch GraphQL schema' }).click();
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    const documentation = page.getByRole('region', { name: 'Documentation Explorer' });
    await documentation.getByText('Mutation', { exact: true }).click();
    await documentation.getByRole('link', { name: 'createOrder', exact: true }).waitFor();

    await page.getByRole('button', { name: 'Open short keys dialog' }).click();
    await page.getByRole('dialog').getByText('Execute query').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Open settings dialog' }).click();
    await page.getByRole('dialog').getByText('Theme').waitFor();
    expect(await page.getByRole('dialog').getByText('headers').count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(complaints).toEqual([]);
  });

  it('runs a mutation and a query with a credential', async () => {
    const { page, complaints } = watched;
    const create = 'mutation ($command: CreateOrderInput!) { createOrder(command: $command) { orderId } }';
    await enter(page, operationEditor, create);
    await enterTool(page, 'Variables', { command: orderBody() });
    await enterTool(page, 'Headers', {});
    expect(await run(page)).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    await enterTool(page, 'Headers', as.writer);
    const { data } = (await run(page)) as { data: { createOrder: { orderId: string } } };

    const { orderId } = data.createOrder;
    await enterTool(page, 'Variables', {});
    await enter(page, operationEditor, `{ order(id: "${orderId}") { orderId status } }`);
    await expect.poll(() => run(page)).toEqual({ data: { order: { orderId, status: 'open' } } });
    expect(complaints).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('is accessible in %s colors', async (colorScheme) => {
    const { page } = watched;
    await page.emulateMedia({ colorScheme });
    await enter(
      page,
      operationEditor,
      `# A comment that is longer than the editor ${'is '.repeat(40)}\n{ orders(pageSize: 2, sort: "-placedAt") { items { orderId } } }`,
    );
    await run(page);
    await expectOnly(upstream, page);
    await page.getByRole('button', { name: 'Open settings dialog' }).click();
    await page.getByRole('dialog').getByText('Theme').waitFor();
    await expectOnly([], page);
    await page.keyboard.press('Escape');
  });

  it('shows the results of a subscription until it is stopped', async () => {
    const { page, complaints } = watched;
    await enterTool(page, 'Variables', {});
    await enterTool(page, 'Headers', as.writer);
    await enter(page, operationEditor, 'subscription { orders(sort: "-placedAt", pageSize: 1) { keys } }');
    await page.getByRole('button', { name: 'Execute query (Ctrl-Enter)' }).click();
    const shown = page.locator('.result-window');
    await expect.poll(() => shown.innerText()).toContain('keys');
    const created = await fetch(`${orders.url}/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...as.writer },
      body: JSON.stringify(orderBody()),
    });
    const { orderId } = (await created.json()) as { orderId: string };
    await expect.poll(() => shown.innerText()).toContain(orderId);
    expect(orders.watches).toBe(1);
    await page.getByRole('button', { name: 'Stop query (Ctrl-Enter)' }).click();
    await expect.poll(() => orders.watches).toBe(0);
    expect(complaints.filter((text) => !text.startsWith('failed request'))).toEqual([]);
  });

  it('stores the history in the browser, but no credential', async () => {
    const { page } = watched;
    await enterTool(page, 'Headers', as.writer);
    await enter(page, operationEditor, '{ __typename }');
    // A browser that is too busy to show an operation as running does not add it to the history. The operation is also stored as that of its tab.
    const historyAfterRun = async (): Promise<unknown> =>
      await run(page).then(() => page.evaluate("localStorage.getItem('graphiql:queries') ?? ''"));
    await expect.poll(historyAfterRun).toContain('__typename');
    expect(await storedBy(page)).not.toContain(as.writer['x-api-key']);
    await page.reload();
    await page.getByRole('button', { name: 'Show History' }).click();
    await page.getByRole('region', { name: 'History' }).getByText('__typename').waitFor();
  });
});
