import { timeOfId } from '../messages/index.js';
import { readCheckpoint, type SealsStanding } from '../seals/index.js';
import {
  leasesOf,
  type HeldLease,
  type OutboxLane,
  type RecordedHost,
  type Storage,
  type VersionActivity,
} from '../storage/index.js';
import { ratesOf, sumOf } from './activity/rates.js';
import type { AdministrationParts } from './administration-parts.js';
import { authorizeOperatorRead } from './authorize-operator.js';
import type { ObservedDatabase } from './observed-database.js';
import type { ActivityHistory, DeployedVersion, Overview, OverviewHost, OverviewSeals, OutboxLag } from './overview.js';
import { Recent } from './recent.js';

const cacheMs = 2_000;
const countLimit = 10_000;
const mostHosts = 200;
/** Activity is added up in steps of this length, or multiples of it. */
const stepMs = 10_000;
/** Hosts record an interval a moment after its end. */
const recordedLateMs = 2_000;
const nowMs = 30_000;
const minuteMs = 60_000;

/** The state of all hosts, for operators. Answers are remembered for two seconds, however many operators look. */
export class OverviewAdministration {
  readonly #parts: AdministrationParts;
  readonly #overviews = new Recent<Overview>(cacheMs);
  readonly #activities = new Recent<readonly VersionActivity[]>(cacheMs);
  readonly #hosts = new Recent<readonly RecordedHost[]>(cacheMs);

  constructor(parts: AdministrationParts) {
    this.#parts = parts;
  }

  async read(): Promise<Overview> {
    const database = await this.#database();
    return await this.#overviews.get(database.storage, '', () => this.#read(database));
  }

  /** The rates of the last minutes, at most 60. */
  async history(minutes: number): Promise<ActivityHistory> {
    const { storage, now } = await this.#database();
    const step = minutes <= 10 ? stepMs : 3 * stepMs;
    const to = endOfRecorded(now(), step);
    const from = to - minutes * minuteMs;
    const activities = await this.#activity(storage, from, to, step);
    const byTime = grouped(activities, ({ at }) => at);
    const times = Array.from({ length: (to - from) / step }, (_, i) => from + i * step);
    const points = times.map((at) => Object.assign(ratesOf(sumOf(byTime.get(at) ?? []), step), { at }));
    return { from, to, stepMs: step, points };
  }

  /** The versions that run, or ran in the last minutes, at most 60, and their parts of the commands. The largest first. */
  async deployment(minutes: number): Promise<readonly DeployedVersion[]> {
    const { storage, now } = await this.#database();
    const to = endOfRecorded(now(), stepMs);
    const activities = await this.#activity(storage, to - minutes * minuteMs, to, minuteMs);
    const hosts = await this.#hostsOf(storage);
    const all = sumOf(activities).commands;
    const names = new Set([...hosts, ...activities].map(({ version }) => version));
    const versions = [...names].map((version) => {
      const sum = sumOf(activities.filter((activity) => activity.version === version));
      const running = hosts.filter((host) => host.version === version);
      return Object.assign(ratesOf(sum, minutes * minuteMs), {
        version,
        hosts: running.length,
        since: running.length === 0 ? null : Math.min(...running.map(({ startedAt }) => startedAt)),
        commands: sum.commands,
        share: all === 0 ? 0 : sum.commands / all,
      });
    });
    return versions.toSorted((a, b) => b.share - a.share || b.hosts - a.hosts);
  }

  async #database(): Promise<ObservedDatabase> {
    await authorizeOperatorRead(this.#parts.access);
    return await this.#parts.observed();
  }

  async #read({ storage, now, perspectives, reactions, seals }: ObservedDatabase): Promise<Overview> {
    const at = now();
    const [report, recorded, leases] = await Promise.all([
      this.#parts.health().run(),
      this.#hostsOf(storage),
      leasesOf(storage).readHeld(''),
    ]);
    const to = endOfRecorded(at, stepMs);
    const lately = await this.#activity(storage, to - nowMs, to, stepMs);
    return {
      at,
      health: report,
      hosts: hostsOf(recorded, leases).slice(0, mostHosts),
      now: recorded.length === 0 ? null : ratesOf(sumOf(lately), nowMs),
      perspectives: perspectives.names.length === 0 ? [] : await perspectives.readStandings(countLimit),
      reactions: reactions.names.length === 0 ? [] : await reactions.readStandings(countLimit),
      outbox: [...(await outboxLag(storage, 'system')), ...(await outboxLag(storage, 'transport'))],
      deadLetters: (await storage.backlog?.countDeadLetters(countLimit)) ?? new Map(),
      seals: seals === null ? null : await sealsOf(storage, seals.standing),
      countLimit,
    };
  }

  #hostsOf(storage: Storage): Promise<readonly RecordedHost[]> {
    return this.#hosts.get(storage, '', async () => (await storage.hosts?.read(mostHosts)) ?? []);
  }

  #activity(storage: Storage, from: number, to: number, step: number): Promise<readonly VersionActivity[]> {
    const read = async (): Promise<readonly VersionActivity[]> =>
      (await storage.hosts?.readActivity({ from, to, stepMs: step })) ?? [];
    return this.#activities.get(storage, `${from}/${to}/${step}`, read);
  }
}

function grouped<TItem, TKey>(
  items: readonly TItem[],
  keyOf: (item: TItem) => TKey,
): ReadonlyMap<TKey, readonly TItem[]> {
  const groups = new Map<TKey, TItem[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** The last multiple of a step up to which all hosts have recorded their activity. */
function endOfRecorded(now: number, step: number): number {
  return Math.floor((now - recordedLateMs) / step) * step;
}

/** The hosts that record their activity, then those that only hold leases. */
function hostsOf(recorded: readonly RecordedHost[], leases: readonly HeldLease[]): readonly OverviewHost[] {
  const byHolder = grouped(leases, ({ holder }) => holder);
  const known = new Set<string>(recorded.map(({ id }) => id));
  const silent = [...byHolder].filter(([holder]) => !known.has(holder));
  return [
    ...recorded.map(({ id, process, isOwn, ...described }) => ({
      id,
      process,
      isOwn,
      recorded: described,
      leases: byHolder.get(id) ?? [],
    })),
    ...silent.map(([id, [first, ...others]]) => ({
      id: id as RecordedHost['id'],
      process: first!.process,
      isOwn: first!.isOwn,
      recorded: null,
      leases: [first!, ...others],
    })),
  ];
}

async function outboxLag({ backlog }: Storage, lane: OutboxLane): Promise<readonly OutboxLag[]> {
  if (backlog === undefined) return [];
  const { waiting, first } = await backlog.readOutbox(lane, countLimit);
  return [{ lane, waiting, oldest: first === null ? null : timeOfId(first) }];
}

/** The last seal may be of another host. */
async function sealsOf(storage: Storage, { failure, anchors }: SealsStanding): Promise<OverviewSeals> {
  const head = (await storage.seals?.readLast()) ?? null;
  if (head === null) return { last: null, failure, anchors };
  const { number, size, checkpoint } = head;
  return { last: { number, size, time: readCheckpoint(checkpoint)?.time ?? null }, failure, anchors };
}
