import { newId } from '@svc/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestHost } from './testing/test-host.js';

let host: TestHost;
beforeAll(async () => {
  host = await TestHost.start();
});
afterAll(() => host.stop());

test('lends a book and lists it', async () => {
  const loan = { bookId: newId(), member: 'Ann' };
  const response = await host.post('/books/lend', loan);
  expect([response.status, await response.json()]).toEqual([200, loan]);
  // Perspectives follow a moment later.
  await expect.poll(async () => (await host.get(`/books/${loan.bookId}`)).json()).toMatchObject(loan);
});

test('reports every invalid property', async () => {
  const response = await host.post('/books/lend', { bookId: 'x', member: '' });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ errors: [{ pointer: '/bookId' }, { pointer: '/member' }] });
});
