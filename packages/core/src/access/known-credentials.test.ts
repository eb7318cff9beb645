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

describe('a credential that is known', () => {
  it('is checked once, also when it comes many times at once', async () => {
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

  it('makes room for others after ten thousand', async () => {
    for (let i = 0; i <= 10_000; i++) await get(`${i}`);
    await get('10000');
    expect(checks).toBe(10_001);
    await get('0');
    expect(checks).toBe(10_002);
  });
});

it('does not remember a failure', async () => {
  const fail = (): Promise<Authenticated> => Promise.reject(new Error('bad'));
  await expect(known.get('a', fail)).rejects.toThrow('bad');
  await expect(get('a')).resolves.toBe(ann);
});

describe('when everything is forgotten', () => {
  it('credentials are checked anew', async () => {
    await get('a');
    known.clear();
    await get('a');
    expect(checks).toBe(2);
  });

  it('what is being checked is answered and not remembered: it may have been read before the change', async () => {
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
});
