import { setTimeout as sleep } from 'node:timers/promises';
import { isRace, isStreamRace } from './failures.js';

/** How often a statement is retried because a concurrent transaction was faster. */
export const mostRaces = 5;
/** The same for a statement that appends to a stream of many hosts. It gets a position eventually. */
const mostStreamRaces = 500;
const longestPauseMs = 10;

/** Whether to retry a statement that has lost `races` races. `isPatient`: it may lose the race for a stream many times. */
export function mayRaceAgain(error: unknown, races: number, isPatient: boolean): boolean {
  return isRace(error) && races <= (isPatient && isStreamRace(error) ? mostStreamRaces : mostRaces);
}

/** A random pause: two hosts that retried at the same moment would conflict again. */
export async function pauseAfterRace(races: number): Promise<void> {
  if (races > 1) await sleep(Math.random() * Math.min(races, longestPauseMs));
}
