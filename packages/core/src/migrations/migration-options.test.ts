import { expect, it } from 'vitest';
import { migrationSettings, type MigrationOptions } from './migration-options.js';

it('has defaults for all limits', () => {
  const defaults = { lockTimeoutMs: 500, lockWaitMs: 30_000, statementTimeoutMs: 600_000, batchSize: 1_000 };
  expect(migrationSettings()).toEqual(defaults);
  expect(migrationSettings({ batchSize: 7 })).toEqual({ ...defaults, batchSize: 7 });
});

it.each(['lockTimeoutMs', 'lockWaitMs', 'statementTimeoutMs', 'batchSize'] satisfies (keyof MigrationOptions)[])(
  'rejects %s unless it is a whole number from 1 to 2,147,483,647',
  (name) => {
    for (const value of [1, 2_147_483_647]) expect(migrationSettings({ [name]: value })[name]).toBe(value);
    for (const value of [0, -1, 1.5, 2_147_483_648, Number.NaN]) {
      expect(() => migrationSettings({ [name]: value })).toThrow(
        expect.objectContaining({
          code: 'SVC_STORAGE_MISCONFIGURED',
          message: expect.stringContaining(`Cannot use the options of migrations: ${name}`) as string,
        }),
      );
    }
  },
);
