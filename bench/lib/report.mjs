/** The report of a benchmark, and how its tables are built. */
import { figure, ratio } from './rounds.mjs';

/** @typedef {import('./statistics.mjs').Spread} Spread */
/** @typedef {import('./rounds.mjs').Rounds} Rounds */
/** @typedef {{ name: string, about: string }} Subject */

/**
 * @typedef {object} Metric
 * @property {string} name key of the figures
 * @property {string} label
 * @property {number} digits after the point
 * @property {boolean} [higherIsBetter] default: lower is better
 */

/** @typedef {{ subject: string, about: string, figures: Record<string, Spread>, ratios: Record<string, Spread> }} Row */
/** @typedef {{ title: string, metrics: readonly Metric[], references: readonly string[], rows: Row[] }} Table */
/** @typedef {{ claim: string, measured: Spread, bound: number, atLeast: boolean, met: boolean }} Target */

/**
 * @typedef {object} Report
 * @property {readonly Table[]} tables
 * @property {readonly Target[]} targets
 * @property {readonly string[]} notes what a reader must know to understand the figures
 */

/** `large`: ten times as much, if a benchmark supports it. */
/** @typedef {{ quick: boolean, large: boolean, progress: (text: string) => void }} RunOptions */
/** @typedef {{ about: string, limitMs?: number, run: (options: RunOptions) => Promise<Report> }} Benchmark */

/**
 * A row for each subject with all its figures, and the ratio of its speed (the first metric) to that of each reference.
 *
 * @param {string} title
 * @param {readonly Subject[]} subjects
 * @param {Rounds} rounds
 * @param {readonly [Metric, ...Metric[]]} metrics
 * @param {readonly string[]} references
 * @returns {Table}
 */
export function table(title, subjects, rounds, metrics, references) {
  const rows = subjects.map(({ name, about }) => ({
    subject: name,
    about,
    figures: Object.fromEntries(metrics.map((metric) => [metric.name, figure(rounds, name, metric.name)])),
    ratios: Object.fromEntries(references.map((other) => [other, speed(rounds, name, other, metrics[0])])),
  }));
  return { title, metrics, references, rows };
}

/**
 * How many times as fast as the reference a subject is, whether the metric is a rate or a time.
 *
 * @param {Rounds} rounds
 * @param {string} subject
 * @param {string} reference
 * @param {Metric} metric
 */
export function speed(rounds, subject, reference, metric) {
  return metric.higherIsBetter
    ? ratio(rounds, subject, reference, metric.name)
    : ratio(rounds, reference, subject, metric.name);
}

/**
 * @param {string} claim
 * @param {Spread} measured
 * @param {number} bound
 * @returns {Target}
 */
export function atLeast(claim, measured, bound) {
  return { claim, measured, bound, atLeast: true, met: measured.median >= bound };
}

/**
 * @param {string} claim
 * @param {Spread} measured
 * @param {number} bound
 * @returns {Target}
 */
export function atMost(claim, measured, bound) {
  return { claim, measured, bound, atLeast: false, met: measured.median <= bound };
}
