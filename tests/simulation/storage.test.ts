/** The storage of the simulator complies with the contract of every storage, so that what it finds are defects of svc. */
import { contractOf } from '@svc/core/testing';
import { describe, expect, it } from 'vitest';
import { localDatabase } from '../../tools/simulation/index.mjs';

describe('the simulated storage', () => {
  it.each(contractOf(localDatabase()()))('$name', async ({ run }) => {
    const opening = localDatabase();
    await expect(
      run(async () => {
        const storage = opening();
        await storage.open();
        return storage;
      }),
    ).resolves.toBeUndefined();
  });
});
