import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Drain } from './drain.js';
import { drainOnSignals } from './signals.js';

const handlers = new Map<string | symbol, () => void>();
const drain = { drain: vi.fn<Drain['drain']>(() => Promise.resolve({ clean: true, cut: 0 })) };

beforeEach(() => {
  vi.stubEnv('DRAIN_NOTICE_MS', undefined);
  // The signals of this process are the test runner's.
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
  drainOnSignals(drain as unknown as Drain);
  drain.drain.mockClear();
  handlers.get(signal)?.();
  return drain.drain.mock.calls;
}

describe('drainOnSignals', () => {
  it('gives the notice that the drain was made with when SIGTERM comes', () => {
    expect(noticeAfter('SIGTERM')).toEqual([[undefined]]);
  });

  it('gives the notice that the platform sets in DRAIN_NOTICE_MS, before that of the drain', () => {
    vi.stubEnv('DRAIN_NOTICE_MS', '250');
    expect(noticeAfter('SIGTERM')).toEqual([[250]]);
  });

  it('gives no notice when somebody presses Ctrl-C', () => {
    vi.stubEnv('DRAIN_NOTICE_MS', '250');
    expect(noticeAfter('SIGINT')).toEqual([[0]]);
  });

  it.each(['', 'soon', '-1', '1e400'])('refuses DRAIN_NOTICE_MS=%s at the start', (text) => {
    vi.stubEnv('DRAIN_NOTICE_MS', text);
    expect(() => drainOnSignals(drain as unknown as Drain)).toThrow('DRAIN_NOTICE_MS must be a number of milliseconds');
    expect(handlers.size).toBe(0);
  });
});
