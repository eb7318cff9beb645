/** RabbitMQ restarts, connections are cut, confirmations are lost and hosts are killed. The long version: `npm run torture -- broker`. */
import { expect, it } from 'vitest';
import { expectSound, seed } from './torture.js';

it(`delivers each event once and in order, whatever fails (SVC_TEST_SEED=${seed})`, async () => {
  const { counts, done } = await expectSound('broker', { count: 300 });
  expect(done).toBeGreaterThanOrEqual(300);
  expect(counts).toMatchObject({ 'lost confirmations': 2, 'kills of hosts': 2, 'restarts of RabbitMQ': 1 });
}, 300_000);
