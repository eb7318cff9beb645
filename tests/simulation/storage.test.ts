/** The storage of the simulator complies with the contract of every storage, so that what it finds are defects of svc. */
import { contractOf } from '@svc/core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { localDatabase } from '../../tools/simulation/index.mjs';

const opened: { close(): Promise<void> }[] = [];
// Its polls would continue in later test files of the same process, as often as those advance a fake clock.
afterEach(async () => void (await Promise.all(opened.splice(0).map((storage) => storage.close()))));

describe('the simulated storage', () => {
  it.each(contractOf(localDatabase()()))('$name', async ({ run }) => {
    const opening = localDatabase();
    await expect(
      run(async () => {
        const storage = opening();
        opened.push(storage);
        await storage.open();
        return storage;
      }),
    ).resolves.toBeUndefined();
  });
});
