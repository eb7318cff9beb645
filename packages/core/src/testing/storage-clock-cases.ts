import assert from 'node:assert/strict';
import type { StorageCase } from './storage-case.js';

/** What the capability `clock` adds. */
export const clockCases: readonly StorageCase[] = [
  {
    name: 'reads the clock of the database in milliseconds, the same for all hosts',
    async run(open) {
      const hosts = [await open(), await open()];
      const read: number[] = [];
      for (let i = 0; i < 6; i++) read.push(await hosts[i % 2]!.clock!.read());
      assert.deepEqual(
        read,
        read.toSorted((a, b) => a - b),
      );
      assert.ok(read[0]! > Date.UTC(2020, 0), String(read[0]));
      assert.ok(read.at(-1)! - read[0]! < 60_000, 'milliseconds');
    },
  },
];
