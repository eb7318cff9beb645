import { describe, expect, it } from 'vitest';
import { storageContract } from './storage-contract.js';
import { InMemoryStorage } from '../storage/index.js';

describe('the in-memory storage', () => {
  it.each(storageContract)('$name', async ({ run }) => {
    const storage = new InMemoryStorage();
    await expect(run(() => Promise.resolve(storage))).resolves.toBeUndefined();
  });
});
