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
  it('is renewed by a timer until it is released, whatever its holder does', async () => {
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

  it('on another machine is valid until its holder has not been seen for 90 s, then another controller can take over', async () => {
    const claim = { id: 'theirs', what: 'rolling update', controller: elsewhere, seen: new Date().toISOString() };
    await claims.replaceClaim(null, claim);
    await expect(HeldClaim.take(claims, 'canary')).rejects.toThrow(
      /^Another change of this service is running \(rolling update\) by elsewhere\. If that controller is gone, try again in (90|8\d) s\.$/,
    );
    const seen = new Date(Date.now() - 91_000).toISOString();
    await claims.replaceClaim('theirs', { ...claim, seen });
    const held = await HeldClaim.take(claims, 'canary');
    await held.require();
    await held.release();
  });

  it('that another controller has taken over rejects changes and does not release the other claim', async () => {
    const held = await HeldClaim.take(claims, 'canary');
    const { id } = (await claims.claim())!;
    const theirs = { id: 'theirs', what: 'rollback', controller: elsewhere, seen: new Date().toISOString() };
    await claims.replaceClaim(id, theirs);
    await expect(held.require()).rejects.toThrow(LostClaimError);
    await held.release();
    expect(await claims.claim()).toEqual(theirs);
  });

  it('of this process is valid exactly as long as it is held', async () => {
    const held = await HeldClaim.take(claims, 'canary');
    const claim = (await claims.claim())!;
    await expect(HeldClaim.take(claims, 'scale')).rejects.toThrow(
      `(canary) by process ${process.pid}. Wait until it ends, or stop it.`,
    );
    await held.release();
    expect(await isHeld(claim)).toBe(false);
  });
});
