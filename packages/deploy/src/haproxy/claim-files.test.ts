import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RolloutClaim } from '../platform/index.js';
import { ClaimFiles } from './claim-files.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-claims-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const claimOf = (id: string): RolloutClaim => ({
  id,
  what: 'canary',
  controller: { host: 'here', pid: 1 },
  seen: new Date(0).toISOString(),
});

describe('a claim in files', () => {
  it('is acquired by exactly one of many concurrent attempts, also when it changes hands', async () => {
    let holder: string | null = null;
    for (const round of [1, 2, 3, 4, 5]) {
      const tries = await Promise.all(
        Array.from({ length: 8 }, async (_, i) => {
          const id = `${round}-${i}`;
          return (await new ClaimFiles(folder).replaceClaim(holder, claimOf(id))) ? [id] : [];
        }),
      );
      const acquired = tries.flat();
      expect(acquired).toHaveLength(1);
      holder = acquired[0]!;
      expect(await new ClaimFiles(folder).claim()).toEqual(claimOf(holder));
    }
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('is not replaced by a caller that expects another claim, even if it was released in between', async () => {
    const claims = new ClaimFiles(folder);
    expect(await claims.replaceClaim('old', claimOf('new'))).toBe(false);
    expect(await claims.replaceClaim(null, claimOf('one'))).toBe(true);
    expect(await claims.replaceClaim(null, claimOf('two'))).toBe(false);
    expect(await claims.replaceClaim('one', null)).toBe(true);
    expect(await claims.replaceClaim('one', claimOf('one'))).toBe(false);
    expect(await claims.claim()).toBeNull();
  });
});
