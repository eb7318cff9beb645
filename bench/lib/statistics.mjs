/** The median of several rounds is used: a disturbed round does not change it. */

/**
 * `low` and `high` are the lowest and the highest value; of ten or more values, without the lowest and the highest tenth.
 *
 * @typedef {{ median: number, low: number, high: number }} Spread
 */

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? at(sorted, middle) : (at(sorted, middle - 1) + at(sorted, middle)) / 2;
}

/**
 * @param {readonly number[]} values
 * @returns {Spread}
 */
export function spread(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const tenth = Math.floor(sorted.length / 10);
  return { median: median(values), low: at(sorted, tenth), high: at(sorted, sorted.length - 1 - tenth) };
}

/**
 * @param {readonly number[]} values
 * @param {number} index
 */
function at(values, index) {
  const value = values[index];
  if (value === undefined) throw new RangeError('There is no median of no values.');
  return value;
}
