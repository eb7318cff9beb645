import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClaimFiles } from '../haproxy/claim-files.js';
import { HeldClaim } from './held-claim.js';
import { isHeld } from './holder.js';
import { LostClaimError } from './lost-claim-error.js';

let folder: string;
let claims: ClaimFiles;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-claims-'));
  claims = new ClaimFiles(folder);
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const elsewhere = { host: 'elsewhere', pid: 1 };

describe('a claim', () => {
  it('is renewed by its own clock, whatever its holder is at, until it is released', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    const held = await HeldClaim.take(claims, 'canary');
    const { seen } = (await claims.claim())!;
    vi.advanceTimersByTime(60_000);
    await vi.waitFor(async () =>
      expect(Date.parse((await claims.claim())!.seen) - Date.parse(seen)).toBeGreaterThanOrEqual(50_000),
    );
    await held.release();
    vi.advanceTimersByTime(60_000);
    expect(await claims.claim()).toBeNull();
  });

  it('on another machine counts until its holder was not seen for 90 s, and can be taken over then', async () => {
    const claim = { id: 'theirs', what: 'rolling update', controller: elsewhere, seen: new Date().toISOString() };
    await claims.replaceClaim(null, claim);
    await expect(HeldClaim.take(claims, 'canary')).rejects.toThrow(
      /^This service is being changed \(rolling update\) by elsewhere\. When that is gone, this works in (90|8\d) s\.$/,
    );
    const seen = new Date(Date.now() - 91_000).toISOString();
    await claims.replaceClaim('theirs', { ...claim, seen });
    const held = await HeldClaim.take(claims, 'canary');
    await held.require();
    await held.release();
  });

  it('that somebody else has taken over is of no use any more, and is left to them', async () => {
    const held = await HeldClaim.take(claims, 'canary');
    const { id } = (await claims.claim())!;
    const theirs = { id: 'theirs', what: 'rollback', controller: elsewhere, seen: new Date().toISOString() };
    await claims.replaceClaim(id, theirs);
    await expect(held.require()).rejects.toThrow(LostClaimError);
    await held.release();
    expect(await claims.claim()).toEqual(theirs);
  });

  it('of this process counts for as long as it is held, and no longer', async () => {
    const held = await HeldClaim.take(claims, 'canary');
    const claim = (await claims.claim())!;
    await expect(HeldClaim.take(claims, 'scale')).rejects.toThrow(`(canary) by process ${process.pid}. End it first.`);
    await held.release();
    expect(await isHeld(claim)).toBe(false);
  });
});
