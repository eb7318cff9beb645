import { setTimeout as sleep } from 'node:timers/promises';
import { isRace, isStreamRace } from './failures.js';

/** How often a statement is run again at once because others were faster. */
export const mostRaces = 5;
/** The same for one that appends to a stream to which many hosts append: sooner or later it gets a position. */
const mostStreamRaces = 500;
const longestPauseMs = 10;

/** Whether a statement that failed for the `races`th time is run again. `isPatient`: it may lose the race for a stream many times. */
export function mayRaceAgain(error: unknown, races: number, isPatient: boolean): boolean {
  return isRace(error) && races <= (isPatient && isStreamRace(error) ? mostStreamRaces : mostRaces);
}

/** Two hosts that met once would meet again if both went on at once. */
export async function pauseAfterRace(races: number): Promise<void> {
  if (races > 1) await sleep(Math.random() * Math.min(races, longestPauseMs));
}
