import { describe, expect, it } from 'vitest';
import { judgeMemory, type MemorySample } from '../../tools/fuzz/index.mjs';

const MiB = 2 ** 20;
const requests = 200_000;

/** 40 samples of a run whose heap and resident set are as `of` says, at each share of the run. */
function run(of: (share: number, i: number) => number, count = requests): MemorySample[] {
  return Array.from({ length: 40 }, (_, i) => {
    const bytes = of((i + 1) / 40, i);
    return { requests: (count * (i + 1)) / 40, heap: bytes, rss: bytes + 100 * MiB };
  });
}

describe('memory', () => {
  it.each([
    ['stays the same', () => 50 * MiB],
    ['goes up and down', (_: number, i: number) => (50 + (i % 5) * 4) * MiB],
    ['fills caches in the first half', (share: number) => (20 + 60 * Math.min(1, share * 2)) * MiB],
    ['has two outliers at the end', (_: number, i: number) => (i > 37 ? 300 : 50) * MiB],
    ['grows by less than is accepted', (share: number) => (50 + 16 * share) * MiB],
  ])('is flat when it %s', (_name, of) => {
    expect(judgeMemory(run(of))).toMatchObject({ isJudged: true, wrong: [] });
  });

  it('is not flat when each request leaves 300 bytes', () => {
    const { wrong } = judgeMemory(run((share) => 50 * MiB + 300 * requests * share));
    expect(wrong).toEqual(['heap grew by 28.6 MiB over the last 100000 requests, 300 bytes for each.']);
  });

  it('is not flat when the resident set grows and the heap does not', () => {
    const samples = run(() => 50 * MiB).map(({ requests: sent, heap }, i) => ({
      requests: sent,
      heap,
      rss: i * 20 * MiB,
    }));
    expect(judgeMemory(samples).wrong).toEqual([expect.stringMatching(/^rss grew by 400\.0 MiB/)]);
  });

  it('is not judged after few requests', () => {
    expect(judgeMemory(run((share) => share * 1000 * MiB, 20_000))).toEqual({ isJudged: false, growth: {}, wrong: [] });
    expect(judgeMemory([])).toMatchObject({ isJudged: false });
  });
});
