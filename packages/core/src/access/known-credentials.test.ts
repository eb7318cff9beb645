import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SecurityContext } from '../security/index.js';
import type { Authenticated } from './authenticator.js';
import { KnownCredentials } from './known-credentials.js';

const minutes = 60_000;
const ann: SecurityContext = { scope: { userId: 'ann' }, roles: new Set(), permissions: new Set(), source: 'test' };
let known: KnownCredentials;
let checks: number;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  known = new KnownCredentials();
  checks = 0;
});
afterEach(() => vi.useRealTimers());

function get(credential: string, expiresInMs?: number): Promise<SecurityContext> {
  return known.get(credential, () => {
    checks++;
    const expiresAt = expiresInMs === undefined ? {} : { expiresAt: new Date(Date.now() + expiresInMs) };
    return Promise.resolve({ context: ann, ...expiresAt });
  });
}

describe('a cached credential', () => {
  it('is checked once, also for concurrent requests', async () => {
    expect(await Promise.all([get('a'), get('a'), get('a'), get('b')])).toEqual([ann, ann, ann, ann]);
    await get('a');
    expect(checks).toBe(2);
  });

  it('is checked again after five minutes, however long it is valid', async () => {
    await get('a', 60 * minutes);
    vi.advanceTimersByTime(5 * minutes - 1);
    await get('a');
    expect(checks).toBe(1);
    vi.advanceTimersByTime(1);
    await get('a');
    expect(checks).toBe(2);
  });

  it('is checked again once it has expired', async () => {
    await get('a', 1000);
    vi.advanceTimersByTime(1000);
    await get('a');
    expect(checks).toBe(2);
  });

  it('is evicted after ten thousand others, counted from when it was last checked', async () => {
    await get('renewed', 1000);
    vi.advanceTimersByTime(1000);
    await get('oldest');
    await get('renewed');
    for (let i = 0; i < 9_998; i++) await get(`${i}`);
    await get('oldest');
    expect(checks).toBe(10_001);
    await get('another');
    await get('renewed');
    expect(checks).toBe(10_002);
    await get('oldest');
    expect(checks).toBe(10_003);
  });
});

it('does not cache a failure', async () => {
  const fail = (): Promise<Authenticated> => Promise.reject(new Error('bad'));
  await expect(known.get('a', fail)).rejects.toThrow('bad');
  await expect(get('a')).resolves.toBe(ann);
});

describe('after the cache is cleared', () => {
  it('credentials are checked again', async () => {
    await get('a');
    known.clear();
    await get('a');
    expect(checks).toBe(2);
  });

  it('the result of a check in progress is returned and not cached: it may be older than the change', async () => {
    let finish = (_authenticated: Authenticated): void => {};
    const slow = known.get('a', () => new Promise((resolve) => (finish = resolve)));
    known.clear();
    const after = get('a');
    finish({ context: { ...ann, source: 'stale' } });
    expect((await slow).source).toBe('stale');
    expect(await after).toBe(ann);
    expect(await get('a')).toBe(ann);
    expect(checks).toBe(1);
  });

  it('a check in progress is shared, also after one that is older than the change has ended', async () => {
    const finish: ((authenticated: Authenticated) => void)[] = [];
    const slow = (): Promise<SecurityContext> => known.get('a', () => new Promise((resolve) => finish.push(resolve)));
    const before = slow();
    known.clear();
    const after = slow();
    finish[0]!({ context: { ...ann, source: 'stale' } });
    await before;
    const shared = slow();
    finish[1]!({ context: ann });
    expect([await after, await shared, finish.length]).toEqual([ann, ann, 2]);
  });
});
