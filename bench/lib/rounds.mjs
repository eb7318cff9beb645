/**
 * Rounds are interleaved (A B C, A B C, …) and ratios are computed within a round, so that a machine that becomes slower or busier
 * affects every subject alike.
 */
import { spread } from './statistics.mjs';

/** @typedef {import('./statistics.mjs').Spread} Spread */
/** @typedef {Readonly<Record<string, number>>} Figures what one subject did in one round, by the name of the metric */
/** @typedef {ReadonlyMap<string, readonly Figures[]>} Rounds the figures of each subject, a round each, in the same order */

/**
 * @param {readonly string[]} subjects
 * @param {number} count
 * @param {(subject: string, round: number) => Promise<Figures>} measure
 * @param {(text: string) => void} progress
 * @returns {Promise<Rounds>}
 */
export async function interleave(subjects, count, measure, progress) {
  /** @type {Map<string, Figures[]>} */
  const rounds = new Map(subjects.map((subject) => [subject, []]));
  for (let round = 1; round <= count; round++) {
    for (const subject of subjects) {
      progress(`round ${round} of ${count}: ${subject}`);
      rounds.get(subject)?.push(await measure(subject, round));
    }
  }
  return rounds;
}

/**
 * @param {Rounds} rounds
 * @param {string} subject
 * @param {string} metric
 * @returns {Spread}
 */
export function figure(rounds, subject, metric) {
  return spread(series(rounds, subject, metric));
}

/**
 * The ratio of the subject's figure to the reference's, round by round.
 *
 * @param {Rounds} rounds
 * @param {string} subject
 * @param {string} reference
 * @param {string} metric
 * @returns {Spread}
 */
export function ratio(rounds, subject, reference, metric) {
  const others = series(rounds, reference, metric);
  return spread(series(rounds, subject, metric).map((value, round) => value / (others[round] ?? NaN)));
}

/**
 * @param {Rounds} rounds
 * @param {string} subject
 * @param {string} metric
 */
function series(rounds, subject, metric) {
  return (rounds.get(subject) ?? []).map((figures) => figures[metric] ?? NaN);
}
