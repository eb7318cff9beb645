/** Writes the pictures of the documentation into docs/pictures: views of the console, of the service in examples/orders, in the light theme. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findBinary } from '../chromium/binary.mjs';
import { fixWorld } from './fixed-world.mjs';
import { pictures } from './pictures.mjs';
import { smaller } from './smaller.mjs';

const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const largest = 100_000;

fixWorld();
// Loaded with the fixed clock and random bytes.
const { startOrders } = await import('./orders.mjs');
const orders = await startOrders();
// Chromium's sandbox does not run as root.
const browser = await chromium.launch({
  executablePath: findBinary(),
  chromiumSandbox: process.getuid?.() !== 0,
  // Coloured edges of letters depend on the screen, and triple the size of a picture.
  args: ['--disable-lcd-text'],
});
try {
  const page = await openConsole();
  for (const picture of pictures) await take(page, picture);
} finally {
  await browser.close();
  await orders.stop();
}

async function openConsole() {
  const context = await browser.newContext({
    viewport: { width: 1200, height: 720 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    locale: 'en-US',
  });
  const page = await context.newPage();
  await page.clock.setFixedTime(new Date(Date.now() + 5_000));
  await page.goto(`${orders.url}/console`);
  await page.getByLabel('Token').fill(orders.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Console' }).waitFor();
  return page;
}

async function take(page, { name, hash, open, until }) {
  await page.goto(`${orders.url}/console${hash.replace(':order', orders.cancelled)}`);
  // Rows under the pointer have another colour.
  await page.mouse.move(0, 0);
  await open?.(page);
  await until(page).first().waitFor();
  await page.getByText('Loading…').first().waitFor({ state: 'detached' });
  const picture = smaller(await page.screenshot({ animations: 'disabled' }));
  const file = `docs/pictures/${name}.png`;
  if (picture.length > largest) throw new Error(`${file} would have more than ${largest} bytes. Show less.`);
  writeFileSync(join(folder, `${name}.png`), picture);
  console.log(`${file}: ${Math.round(picture.length / 1000)} kB`);
}
