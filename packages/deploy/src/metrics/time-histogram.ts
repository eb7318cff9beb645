/** Times in buckets that grow by 2 %, so that a percentile of any number of requests is known to 2 % in little memory. */
const growth = Math.log(1.02);

export class TimeHistogram {
  readonly #buckets = new Map<number, number>();
  #count = 0;

  add(milliseconds: number): void {
    const bucket = Math.floor(Math.log(milliseconds + 1) / growth);
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
    this.#count += 1;
  }

  /** The upper end of the bucket in which the percentile lies, in milliseconds; null without any times. */
  percentile(percent: number): number | null {
    let left = Math.ceil((this.#count * percent) / 100);
    for (const [bucket, count] of [...this.#buckets].toSorted(([a], [b]) => a - b)) {
      left -= count;
      if (left <= 0) return Math.round((Math.exp((bucket + 1) * growth) - 1) * 10) / 10;
    }
    return null;
  }
}
