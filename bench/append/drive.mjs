/**
 * @typedef {object} Subject
 * @property {number} concurrency
 * @property {() => Promise<unknown>} append appends one event, or a batch of `size`
 * @property {number} [size] how many events one call appends; default: 1
 * @property {() => Promise<unknown>} [finish] resolves once what follows from the events is done, too
 * @property {(appended: number) => Promise<{ stored: number, expected: number }>} counted
 */

/** Appends for a while and returns the rate. @param {Subject} subject @param {number} ms */
export async function drive({ concurrency, append, size = 1, finish }, ms) {
  /** @type {number[]} */
  const latencies = [];
  const started = performance.now();
  const end = started + ms;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let now = performance.now(); now < end;) {
        await append();
        const after = performance.now();
        latencies.push(after - now);
        now = after;
      }
    }),
  );
  const answered = latencies.length * size * (1000 / (performance.now() - started));
  await finish?.();
  const seconds = (performance.now() - started) / 1000;
  const count = latencies.length * size;
  const sorted = Float64Array.from(latencies).toSorted();
  const at = (/** @type {number} */ share) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
  return { count, rate: count / seconds, answered, p50: at(0.5), p99: at(0.99) };
}
