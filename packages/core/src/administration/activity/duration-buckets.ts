/** Durations are counted in buckets that grow by 10 %, so that the counts of several hosts can be added up, and percentiles have an error of at most 10 %. */
const growth = Math.log(1.1);
const smallestMs = 0.1;
/** About 45 minutes. Longer ones are in this bucket too, so that the number of buckets is limited. */
const lastBucket = 180;

/** The bucket of a duration. */
export function bucketOf(ms: number): number {
  if (!(ms > smallestMs)) return 0;
  return Math.min(lastBucket, Math.ceil(Math.log(ms / smallestMs) / growth));
}

/** The longest duration of a bucket, in milliseconds. */
function longestOf(bucket: number): number {
  const ms = smallestMs * Math.exp(bucket * growth);
  return Number(ms.toPrecision(3));
}

/** The duration that so many percent of the commands did not exceed; null: there are no commands. */
export function percentileOf(durations: Readonly<Record<string, number>>, percent: number): number | null {
  const buckets = Object.entries(durations).map(([bucket, count]) => [Number(bucket), count] as const);
  const all = buckets.reduce((sum, [, count]) => sum + count, 0);
  let left = Math.ceil((all * percent) / 100);
  for (const [bucket, count] of buckets.toSorted(([a], [b]) => a - b)) {
    left -= count;
    if (left <= 0) return longestOf(bucket);
  }
  return null;
}
