/** Decides whether the memory of the service stays flat. */
const MiB = 1024 * 1024;

/**
 * Growth that is accepted over the second half of a run. The heap is measured after a full collection, so what grows is referenced. The
 * resident set also has the allocator's and V8's reserves, which are given back late, and therefore more room.
 */
export const accepted = {
  heap: { bytes: 16 * MiB, share: 0.15 },
  rss: { bytes: 96 * MiB, share: 0.35 },
};

/** Fewer requests only fill caches and show no growth. */
export const leastRequests = 50_000;
const leastSamples = 10;

/**
 * Judges samples of `{ requests, heap, rss }`. The first half is ignored: code is compiled and bounded caches fill. The slope over the second
 * half is the median of the slopes between all pairs of samples (Theil–Sen), which a few outliers cannot move. It counts as growth when it
 * exceeds, over that half, both a fixed number of bytes and a share of the median.
 */
export function judgeMemory(samples) {
  const total = samples.at(-1)?.requests ?? 0;
  const half = samples.filter(({ requests }) => requests >= total / 2);
  if (total < leastRequests || half.length < leastSamples) return { isJudged: false, growth: {}, wrong: [] };
  const growth = {};
  const wrong = [];
  for (const [name, { bytes, share }] of Object.entries(accepted)) {
    const points = half.map((sample) => [sample.requests, sample[name]]);
    const span = points.at(-1)[0] - points[0][0];
    growth[name] = medianSlope(points) * span;
    if (growth[name] > Math.max(bytes, share * median(points.map(([, value]) => value)))) {
      const perRequest = Math.round(growth[name] / span);
      wrong.push(
        `${name} grew by ${(growth[name] / MiB).toFixed(1)} MiB over the last ${span} requests, ${perRequest} bytes for each.`,
      );
    }
  }
  return { isJudged: true, growth, wrong };
}

function medianSlope(points) {
  const slopes = points.flatMap(([x, y], i) => points.slice(i + 1).map(([x2, y2]) => (y2 - y) / (x2 - x)));
  return median(slopes);
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
