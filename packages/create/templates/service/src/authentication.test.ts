import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestHost } from './testing/test-host.js';

let host: TestHost;
beforeAll(async () => {
  host = await TestHost.start();
});
afterAll(() => host.stop());

test('serves callers with a token', async () => {
  expect((await host.get('/books')).status).toBe(200);
});

test('rejects callers without a token', async () => {
  expect((await fetch(`${host.url}/books`)).status).toBe(401);
});
