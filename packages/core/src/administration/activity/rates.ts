import type { CommandCounts } from '../../storage/index.js';
import type { CommandRates } from '../overview.js';
import { percentileOf } from './duration-buckets.js';

/** Adds up the commands of several versions or times. */
export function sumOf(all: readonly CommandCounts[]): CommandCounts {
  const durations: Record<string, number> = {};
  const sum = { commands: 0, rejected: 0, failed: 0, durations };
  for (const counts of all) {
    sum.commands += counts.commands;
    sum.rejected += counts.rejected;
    sum.failed += counts.failed;
    for (const [bucket, count] of Object.entries(counts.durations)) {
      durations[bucket] = (durations[bucket] ?? 0) + count;
    }
  }
  return sum;
}

/** The rates of commands that ran within some milliseconds. */
export function ratesOf({ commands, rejected, failed, durations }: CommandCounts, ms: number): CommandRates {
  const perSecond = (count: number): number => Math.round((count * 100_000) / ms) / 100;
  return {
    commandsPerSecond: perSecond(commands),
    rejectedPerSecond: perSecond(rejected),
    failedPerSecond: perSecond(failed),
    p50Ms: percentileOf(durations, 50),
    p99Ms: percentileOf(durations, 99),
  };
}
