/** Times in buckets that grow by 2 %: percentiles with an error of at most 2 % in constant memory. */
const growth = Math.log(1.02);

export class TimeHistogram {
  readonly #buckets = new Map<number, number>();
  #count = 0;

  add(milliseconds: number): void {
    const bucket = Math.floor(Math.log(milliseconds + 1) / growth);
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
    this.#count += 1;
  }

  /** The upper bound of the bucket with the percentile, in milliseconds; null without times. */
  percentile(percent: number): number | null {
    let left = Math.ceil((this.#count * percent) / 100);
    for (const [bucket, count] of [...this.#buckets].toSorted(([a], [b]) => a - b)) {
      left -= count;
      if (left <= 0) return Math.round((Math.exp((bucket + 1) * growth) - 1) * 10) / 10;
    }
    return null;
  }
}
