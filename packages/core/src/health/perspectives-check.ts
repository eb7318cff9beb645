import {
  eventsPerSecond,
  waitingEvents,
  type PerspectiveStanding,
  type ReadingStall,
  type Storage,
} from '../storage/index.js';
import { HealthStatus, type HealthCheck, type HealthResult } from './health-check.js';

/** What is too far behind. */
export interface LagLimits {
  /** Events that a perspective has not processed yet. Default: 10,000. */
  readonly events?: number;
  /** How long ago the first of them happened. Default: 30,000. */
  readonly ageMs?: number;
}

/** The perspectives that are checked. */
export interface CheckedPerspectives {
  readonly names: readonly string[];
  /** How far they are behind, counting up to `limit` events. */
  readStandings(limit: number): Promise<readonly PerspectiveStanding[]>;
  /** How many segments of a perspective this host processes at the moment, of how many; a whole perspective is one. */
  partHere(name: string): { readonly own: number; readonly all: number };
}

/** Transactions come and go: one that is open for less holds nobody up. */
const shortestStallSeconds = 2;

/**
 * How far perspectives are behind: Degraded when one of them is too far, has stopped at a stream, or an open
 * transaction holds back what has happened. Never Unhealthy: what they have is served, and a host taken out of traffic mends nothing.
 */
export function perspectivesChecks(
  storage: Pick<Storage, 'readingStall'>,
  perspectives: CheckedPerspectives,
  { events: mostEvents = 10_000, ageMs: mostAgeMs = 30_000 }: LagLimits,
): readonly HealthCheck[] {
  if (perspectives.names.length === 0) return [];
  let last: { readonly at: number; readonly standings: readonly PerspectiveStanding[] } | undefined;
  const check = async (): Promise<HealthResult> => {
    let standings: readonly PerspectiveStanding[];
    let stall: ReadingStall | null;
    try {
      standings = await perspectives.readStandings(mostEvents + 1);
      stall = await storage.readingStall();
    } catch {
      // The check of the database says what is the matter.
      return { status: HealthStatus.Degraded, description: 'The database does not say how far perspectives are.' };
    }
    const now = Date.now();
    const late = standings.filter((one) => one.behind > mostEvents || ageOf(one, now) > mostAgeMs);
    const stopped = standings.filter((one) => one.stopped > 0);
    const sentences = [
      ...(stall !== null && isLong(stall) ? [stallSentence(stall)] : []),
      ...(late.length > 0 ? [`Too far behind: ${namesOf(late)}.`] : []),
      ...(stopped.length > 0
        ? [`Stopped at streams: ${namesOf(stopped)}. Fix the code, then run svc perspectives retry.`]
        : []),
    ];
    const figures = {
      ...figuresOf(standings, now),
      ...ratesOf(standings, last?.standings ?? [], now - (last?.at ?? now)),
      ...partsHere(perspectives),
    };
    last = { at: now, standings };
    const data = { ...figures, heldBack: stall?.heldBack ?? 0, blockedBy: stall?.pid ?? null };
    if (sentences.length === 0) return { status: HealthStatus.Healthy, data };
    return { status: HealthStatus.Degraded, description: sentences.join(' '), data };
  };
  return [{ name: 'svc_perspectives', tags: ['perspectives'], check }];
}

function isLong({ openForSeconds }: ReadingStall): boolean {
  return openForSeconds === null || openForSeconds >= shortestStallSeconds;
}

/** Clocks of hosts differ: nothing is younger than now. */
function ageOf({ oldest }: PerspectiveStanding, now: number): number {
  return oldest === null ? 0 : Math.max(0, now - oldest);
}

function namesOf(standings: readonly PerspectiveStanding[]): string {
  return standings.map(({ perspective }) => perspective).join(', ');
}

function figuresOf(standings: readonly PerspectiveStanding[], now: number): Record<string, number> {
  const figures: Record<string, number> = {};
  for (const standing of standings) {
    figures[`${standing.perspective}.behind`] = standing.behind;
    figures[`${standing.perspective}.ageMs`] = ageOf(standing, now);
    figures[`${standing.perspective}.stopped`] = standing.stopped;
  }
  return figures;
}

/** Null until there is a check to compare with. */
function ratesOf(
  standings: readonly PerspectiveStanding[],
  earlier: readonly PerspectiveStanding[],
  ms: number,
): Record<string, number | null> {
  const rates = standings.map((standing) => {
    const before = earlier.find(({ perspective }) => perspective === standing.perspective);
    const rate = before === undefined || ms <= 0 ? null : eventsPerSecond(before, standing, ms);
    return [`${standing.perspective}.eventsPerSecond`, rate] as const;
  });
  return Object.fromEntries(rates);
}

function partsHere(perspectives: CheckedPerspectives): Record<string, number | boolean> {
  const figures: Record<string, number | boolean> = {};
  for (const name of perspectives.names) {
    const { own, all } = perspectives.partHere(name);
    figures[`${name}.processedHere`] = own > 0;
    if (all === 1) continue;
    figures[`${name}.segments`] = all;
    figures[`${name}.segmentsHere`] = own;
  }
  return figures;
}

function stallSentence(stall: ReadingStall): string {
  const { pid, openForSeconds } = stall;
  const who = pid === null ? 'an open transaction' : `an open transaction of process ${pid} of the database`;
  const since = openForSeconds === null ? '' : `, open for ${openForSeconds} s`;
  return `${waitingEvents(stall)} for ${who}${since}.`;
}
