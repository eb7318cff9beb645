import { createService, InMemoryStorage, type Service } from '@svc/core';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { keepAfterTest, requireStoppedServices } from './running-services.js';
import { shopRegistry } from './system-events/shop.js';

class Storage extends InMemoryStorage {
  isClosed = false;

  override close(): Promise<void> {
    this.isClosed = true;
    return super.close();
  }
}

async function startService(storage: Storage): Promise<Service> {
  const service = createService(shopRegistry()).useStorage(storage).start();
  await service.ready();
  return service;
}

const ofFile = new Storage();
beforeAll(async () => void (await startService(ofFile)));

it('stops a service at the end of the test that started it', async () => {
  const storage = new Storage();
  // After the stop: the callbacks of a test run in reverse order.
  onTestFinished(() => expect(storage.isClosed).toBe(true));
  await startService(storage);
  expect(storage.isClosed).toBe(false);
});

it('does not stop a service that later tests use as well', async () => {
  const storage = new Storage();
  let service: Service;
  onTestFinished(async () => {
    expect(storage.isClosed).toBe(false);
    await service.stop();
  });
  service = await startService(storage);
  keepAfterTest(service);
});

it('rejects a file that leaves a service running, and stops the service', async () => {
  await expect(requireStoppedServices()).rejects.toThrow(
    /leaves services running: 1\..*\n.*startService .*running-services\.test\.ts/,
  );
  expect(ofFile.isClosed).toBe(true);
  await expect(requireStoppedServices()).resolves.toBeUndefined();
});
