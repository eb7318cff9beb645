import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ActivityLines } from './activity-lines.js';

const request = { kind: 'request', method: 'GET', path: '/books', status: 200, ms: 3 } as const;
let now = 0;
beforeEach(() => {
  now = 10_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => vi.restoreAllMocks());

describe('ActivityLines', () => {
  it('prints at most 50 lines in a second, and then how many it omitted', () => {
    const lines: string[] = [];
    const activity = new ActivityLines((line) => lines.push(line));
    activity.add(
      Array.from({ length: 60 }, () => request),
      5,
    );
    expect(lines).toHaveLength(50);
    now += 1000;
    activity.add([request], 0);
    expect(lines.slice(50)).toEqual(['… 15 more requests and events', 'GET /books  200  3 ms']);
  });

  it('escapes what a client could write to the terminal', () => {
    const lines: string[] = [];
    new ActivityLines((line) => lines.push(line)).add([{ ...request, path: '/\u001B[2J\n' }], 0);
    expect(lines).toEqual(['GET /\\u001b[2J\\n  200  3 ms']);
  });
});
