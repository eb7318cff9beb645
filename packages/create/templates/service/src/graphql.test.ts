import { newId } from '@svc/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestHost } from './testing/test-host.js';

let host: TestHost;
beforeAll(async () => {
  host = await TestHost.start();
});
afterAll(() => host.stop());

test('lends a book over GraphQL', async () => {
  const query = `mutation ($command: LendBookInput!) { lendBook(command: $command) { member } }`;
  const response = await host.post('/graphql', { query, variables: { command: { bookId: newId(), member: 'Bo' } } });
  expect(await response.json()).toEqual({ data: { lendBook: { member: 'Bo' } } });
});
