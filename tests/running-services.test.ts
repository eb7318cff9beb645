import { createService, InMemoryStorage } from '@svc/core';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { requireStoppedServices } from './running-services.js';
import { shopRegistry } from './system-events/shop.js';

class Storage extends InMemoryStorage {
  isClosed = false;

  override close(): Promise<void> {
    this.isClosed = true;
    return super.close();
  }
}

async function startService(): Promise<Storage> {
  const storage = new Storage();
  await createService(shopRegistry()).useStorage(storage).start().ready();
  return storage;
}

let ofFile: Storage;
beforeAll(async () => {
  ofFile = await startService();
});

it('stops a service at the end of the test that started it', async () => {
  // Later than the stop: these callbacks run in reverse order.
  onTestFinished(() => expect(storage.isClosed).toBe(true));
  const storage = await startService();
  expect(storage.isClosed).toBe(false);
});

it('rejects a file that leaves a service running, and stops the service', async () => {
  await expect(requireStoppedServices()).rejects.toThrow(
    /leaves services running: 1\..*\n.*startService .*running-services\.test\.ts/,
  );
  expect(ofFile.isClosed).toBe(true);
  await expect(requireStoppedServices()).resolves.toBeUndefined();
});
