import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HostDrain } from './drain.js';
import { drainOnSignals } from './signals.js';

const handlers = new Map<string | symbol, () => void>();
const drain = { drain: vi.fn<HostDrain['drain']>(() => Promise.resolve({ clean: true, cut: 0 })) };

beforeEach(() => {
  vi.stubEnv('DRAIN_NOTICE_MS', undefined);
  // The signals of this process belong to the test runner.
  vi.spyOn(process, 'once').mockImplementation((signal, handler) => {
    handlers.set(signal, handler as () => void);
    return process;
  });
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  handlers.clear();
});

function noticeAfter(signal: string): unknown[] {
  drainOnSignals(drain);
  drain.drain.mockClear();
  handlers.get(signal)?.();
  return drain.drain.mock.calls;
}

describe('drainOnSignals', () => {
  it('uses the notice of the drain on SIGTERM', () => {
    expect(noticeAfter('SIGTERM')).toEqual([[undefined]]);
  });

  it('uses DRAIN_NOTICE_MS instead of the notice of the drain', () => {
    vi.stubEnv('DRAIN_NOTICE_MS', '250');
    expect(noticeAfter('SIGTERM')).toEqual([[250]]);
  });

  it('uses no notice on SIGINT', () => {
    vi.stubEnv('DRAIN_NOTICE_MS', '250');
    expect(noticeAfter('SIGINT')).toEqual([[0]]);
  });

  it.each(['', 'soon', '-1', '1e400'])('rejects DRAIN_NOTICE_MS=%s at startup', (text) => {
    vi.stubEnv('DRAIN_NOTICE_MS', text);
    expect(() => drainOnSignals(drain)).toThrow('DRAIN_NOTICE_MS must be a number of milliseconds');
    expect(handlers.size).toBe(0);
  });
});
