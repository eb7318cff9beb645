/** A page in a real Chromium, and everything that it did wrong. */
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { findBinary } from '../../tools/chromium/binary.mjs';

export function startBrowser(): Promise<Browser> {
  // Chromium's sandbox does not run as root.
  return chromium.launch({ executablePath: findBinary(), chromiumSandbox: process.getuid?.() !== 0 });
}

export interface WatchedPage {
  readonly page: Page;
  /** Errors and warnings in the console, also of the content security policy, exceptions, and requests to other servers. */
  readonly complaints: string[];
  /** The statuses of responses above 399. */
  readonly rejections: number[];
}

/** Opens an address in a profile of its own. */
export async function open(browser: Browser, address: string, options?: BrowserContextOptions): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(50_000);
  const complaints: string[] = [];
  const rejections: number[] = [];
  const { origin } = new URL(address);
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    // Chromium reports these responses as errors.
    if (!message.text().startsWith('Failed to load resource')) complaints.push(message.text());
  });
  page.on('response', (response) => {
    if (response.status() > 399) rejections.push(response.status());
  });
  page.on('requestfailed', (request) => {
    // Pages abort requests whose answers they no longer need.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`failed request to ${request.url()}`);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.origin !== origin) complaints.push(`request to ${url.href}`);
  });
  await page.goto(address);
  return { page, complaints, rejections };
}

/** Everything that the page has stored in the browser. */
export async function storedBy(page: Page): Promise<string> {
  return JSON.stringify(await page.evaluate('({ ...localStorage, ...sessionStorage, cookie: document.cookie })'));
}
