import type { ReactionStanding } from '../storage/index.js';
import { HealthStatus, type HealthCheck, type HealthResult } from './health-check.js';

/** The reactions that are checked. */
export interface CheckedReactions {
  readonly names: readonly string[];
  /** How far they are behind, counting up to `limit` events. */
  readStandings(limit: number): Promise<readonly ReactionStanding[]>;
}

/** From this number or age on, a reaction is too far behind. */
const mostEvents = 10_000;
const mostAgeMs = 30_000;

/**
 * Degraded if a reaction is too far behind, paused, or has parked streams. Never Unhealthy: taking a host out of traffic would fix nothing.
 */
export function reactionsChecks(reactions: CheckedReactions): readonly HealthCheck[] {
  if (reactions.names.length === 0) return [];
  const check = async (): Promise<HealthResult> => {
    let standings: readonly ReactionStanding[];
    try {
      standings = await reactions.readStandings(mostEvents + 1);
    } catch {
      // The check of the database reports the cause.
      return { status: HealthStatus.Degraded, description: 'The database does not report the progress of reactions.' };
    }
    const now = Date.now();
    const sentences = [
      sentence(
        'Too far behind',
        standings.filter((one) => one.behind > mostEvents || ageOf(one, now) > mostAgeMs),
      ),
      sentence(
        'Paused',
        standings.filter(({ isPaused }) => isPaused),
      ),
      sentence(
        'Parked streams',
        standings.filter(({ parked }) => parked > 0),
        ' Run svc reactions show.',
      ),
    ].filter((text) => text !== null);
    const data = figuresOf(standings, now);
    if (sentences.length === 0) return { status: HealthStatus.Healthy, data };
    return { status: HealthStatus.Degraded, description: sentences.join(' '), data };
  };
  return [{ name: 'svc_reactions', tags: ['reactions'], check }];
}

function sentence(what: string, standings: readonly ReactionStanding[], advice = ''): string | null {
  return standings.length === 0 ? null : `${what}: ${standings.map(({ name }) => name).join(', ')}.${advice}`;
}

/** Clocks of hosts differ: nothing is younger than now. */
function ageOf({ oldest }: ReactionStanding, now: number): number {
  return oldest === null ? 0 : Math.max(0, now - oldest);
}

function figuresOf(standings: readonly ReactionStanding[], now: number): Record<string, number> {
  const figures: Record<string, number> = {};
  for (const standing of standings) {
    const { name, behind, waiting, parked } = standing;
    figures[`${name}.behind`] = behind;
    figures[`${name}.ageMs`] = ageOf(standing, now);
    figures[`${name}.waiting`] = waiting;
    figures[`${name}.parked`] = parked;
  }
  return figures;
}
