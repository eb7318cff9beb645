import type { ServiceError } from './service-error.js';

/** Node fires longer timers immediately. */
const longestTimer = 2 ** 31 - 1;

/** Throws what `failure` returns if a setting is not a whole number from `least` (default: 1) to `most` (default: the limit of timers). */
export function requireWholeNumbers(
  settings: Readonly<Record<string, number | undefined>>,
  failure: (what: string) => ServiceError,
  { least = 1, most = longestTimer }: { readonly least?: number; readonly most?: number } = {},
): void {
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) continue;
    throw failure(`${name} must be a whole number from ${least} to ${most}, not ${value}`);
  }
}
