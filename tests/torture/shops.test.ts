/** Hosts, and then PostgreSQL, are killed while callers place orders. Long versions: `npm run torture -- kills` and `crashes`. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Servers } from '../../tools/torture/index.mjs';
import { brokerUrl } from '../rabbitmq/test-broker.js';
import { expectSound, seed } from './torture.js';

let servers: Servers;

beforeAll(async () => {
  servers = new Servers({ sharedBrokerUrl: await brokerUrl() });
}, 240_000);
afterAll(() => servers.remove());

it(`loses nothing and does nothing twice when hosts are killed on both databases (SVC_TEST_SEED=${seed})`, async () => {
  const { counts } = await expectSound('kills', { count: 2, hosts: 2, servers });
  expect(counts['kills']).toBe(2);
}, 300_000);

it(`loses nothing and does nothing twice when PostgreSQL crashes (SVC_TEST_SEED=${seed})`, async () => {
  const { counts } = await expectSound('crashes', { count: 2, servers });
  expect(counts['crashes']).toBe(2);
}, 300_000);
