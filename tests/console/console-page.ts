/** The page of the console in a browser, as a user uses it. */
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { open, type WatchedPage } from '../pages/watched-page.js';

/** Opens the console. The profile is removed after the test. */
export async function openConsole(
  browser: Browser,
  url: string,
  hash = '',
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const watched = await open(browser, `${url}/console${hash}`, { viewport: { width: 1280, height: 800 }, ...options });
  onTestFinished(() => watched.page.context().close());
  return watched;
}

export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Console' }).waitFor({ state: 'attached' });
}

/** The heading of the view, when it has one. */
export async function headingOf(page: Page): Promise<string> {
  return await page.getByRole('heading', { level: 1 }).innerText();
}

/** Waits until it is visible. */
export async function expectShown(shown: Locator): Promise<void> {
  await shown.first().waitFor();
}
