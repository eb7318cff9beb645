import { ServiceError } from '../errors/index.js';

/** A length of time: the sum of its parts, at most ten years. */
export interface Duration {
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
  readonly milliseconds?: number;
}

const unitMs: Readonly<Record<keyof Required<Duration>, number>> = {
  days: 86_400_000,
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1_000,
  milliseconds: 1,
};

/** The longest duration: ten years. */
export const longestDurationMs = 3_653 * unitMs.days;

/** The milliseconds of a duration. Throws if a part is unknown or not a number from 0 on, if there is none, or if it is too long. */
export function durationMs(duration: Duration): number {
  const parts = Object.entries(duration ?? {}).filter(([, value]) => value !== undefined) as [string, unknown][];
  if (parts.length === 0) throw invalid('it has no part', pass);
  let ms = 0;
  for (const [unit, value] of parts) {
    if (!Object.hasOwn(unitMs, unit)) throw invalid(`"${unit}" is not a unit`, pass);
    if (typeof value !== 'number' || !(value >= 0)) throw invalid(`${unit} is not a number from 0 on`, pass);
    ms += value * unitMs[unit as keyof Duration];
  }
  if (ms > longestDurationMs) throw invalid('it is longer than ten years', 'Pass a shorter one');
  return Math.round(ms);
}

const pass = 'Pass an object such as { minutes: 30 }, with days, hours, minutes, seconds or milliseconds';

function invalid(why: string, advice: string): ServiceError {
  return new ServiceError('SVC_INVALID_SCHEDULE', `The duration is invalid: ${why}. ${advice}.`);
}
