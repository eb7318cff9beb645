/** Personal data in the console: plain while their subject exists, and marked as erased afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, type Service, type Uuid } from '@svc/core';
import { sqlite } from '@svc/sqlite';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { Customers } from '../personal/customers.js';
import { consoleOf, type Looking } from './looking.js';

let customers: Customers;
beforeAll(async () => void (customers = await Customers.generate()));
afterAll(() => customers.remove());

interface Registered extends Pick<Looking, 'get'> {
  readonly service: Service;
  readonly customerId: Uuid;
  readonly eventId: Uuid;
}

async function register(): Promise<Registered> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-console-personal-'));
  const service = await customers.start(sqlite({ file: join(folder, 'data.db') }));
  onTestFinished(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });
  const { get } = await consoleOf(service);
  const customerId = newId();
  const address = { street: '1 Main St', city: 'Springfield' };
  const command = Object.assign(new customers.classes.Register(), { customerId, name: 'Ann Lee', address });
  await service.dispatcher.invoke(command);
  await service.dispatcher.invoke(Object.assign(new customers.classes.Rename(), { customerId, name: 'Ann Ray' }));
  await service.idle();
  const { events } = (await get(null, `/streams/${customerId}?first=oldest`)).json;
  return { service, get, customerId, eventId: events[0].id };
}

it('shows personal values, and names them', async () => {
  const { get, customerId, eventId } = await register();
  const { body } = (await get(null, `/events/${eventId}`)).json;
  expect(body.value).toMatchObject({ customerId, name: 'Ann Lee', address: { city: 'Springfield' } });
  expect(body).toMatchObject({ personal: ['/name', '/address'], erased: [], secret: [] });
  const { models } = (await get(null, `/events/${eventId}/models`)).json;
  expect(models[0].after.value).toMatchObject({ name: 'Ann Lee', city: 'Springfield' });
});

it('shows the values of an erased subject as erased, in bodies and earlier models', async () => {
  const { service, get, customerId, eventId } = await register();
  await service.erase(customerId, { reason: 'requested' });
  // The keys of erased subjects are in memory for a moment.
  await expect
    .poll(async () => (await get(null, `/events/${eventId}`)).json.body, { timeout: 30_000 })
    .toMatchObject({ value: { customerId, name: null, address: null }, erased: ['/name', '/address'] });
  const answers = await Promise.all(
    [`/events/${eventId}/body`, `/events/${eventId}/models`, `/streams/${customerId}/models`].map((path) =>
      get(null, path),
    ),
  );
  for (const { status, text } of answers) {
    expect(status).toBe(200);
    expect(text).not.toMatch(/Ann|Springfield|svc-personal/);
  }
});

it('shows the snapshots of perspectives and deciders', async () => {
  const { get, customerId } = await register();
  await expect
    .poll(async () => (await get(null, `/streams/${customerId}`)).json.snapshots, { timeout: 30_000 })
    .toContainEqual(
      expect.objectContaining({ kind: 'decider', name: 'CustomerDecider', position: expect.any(Number) }),
    );
});
