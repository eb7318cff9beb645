import { describe, expect, it } from 'vitest';
import { capabilityContracts, contractOf } from './storage-contract.js';
import { InMemoryStorage } from '../storage/index.js';

describe('the in-memory storage', () => {
  it.each(contractOf(new InMemoryStorage()))('$name', async ({ run }) => {
    const storage = new InMemoryStorage();
    await expect(run(() => Promise.resolve(storage))).resolves.toBeUndefined();
  });
});

describe('a storage without the capability replay', () => {
  it.each(capabilityContracts.replay)('$name', async ({ run }) => {
    const storage = new InMemoryStorage();
    expect(storage).not.toHaveProperty('replay');
    await expect(run(() => Promise.resolve(storage))).resolves.toBeUndefined();
  });
});
