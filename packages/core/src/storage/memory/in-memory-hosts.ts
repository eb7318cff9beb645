import { newId } from '../../messages/index.js';
import {
  missedIntervals,
  type ActivityRange,
  type HostActivity,
  type RecordedHost,
  type StorageHosts,
  type VersionActivity,
} from '../capabilities/hosts.js';

/** The activity of the only host that can use this memory. */
export class InMemoryHosts implements StorageHosts {
  readonly #id = newId();
  readonly #activities = new Map<number, HostActivity>();
  #last: { readonly activity: HostActivity; readonly seenAt: number } | null = null;

  record(activity: HostActivity, retainMs: number): Promise<void> {
    this.#activities.set(activity.at, activity);
    this.#last = { activity, seenAt: Date.now() };
    for (const at of this.#activities.keys()) if (at < activity.at - retainMs) this.#activities.delete(at);
    return Promise.resolve();
  }

  leave(): Promise<void> {
    this.#last = null;
    return Promise.resolve();
  }

  read(limit: number): Promise<readonly RecordedHost[]> {
    if (this.#last === null || limit === 0) return Promise.resolve([]);
    const { activity, seenAt } = this.#last;
    const { version, library, startedAt, everyMs } = activity;
    const seenMsAgo = Date.now() - seenAt;
    if (seenMsAgo > missedIntervals * everyMs) return Promise.resolve([]);
    return Promise.resolve([{ id: this.#id, process: null, isOwn: true, version, library, startedAt, seenMsAgo }]);
  }

  readActivity({ from, to, stepMs }: ActivityRange): Promise<readonly VersionActivity[]> {
    const sums = new Map<string, VersionActivity>();
    for (const activity of this.#activities.values()) {
      if (activity.at < from || activity.at >= to) continue;
      const at = Math.floor(activity.at / stepMs) * stepMs;
      const key = JSON.stringify([at, activity.version]);
      const { version, commands, rejected, failed, durations } = activity;
      sums.set(key, sumOf(sums.get(key), { at, version, commands, rejected, failed, durations }));
    }
    return Promise.resolve([...sums.values()].toSorted((a, b) => a.at - b.at));
  }
}

function sumOf(sum: VersionActivity | undefined, added: VersionActivity): VersionActivity {
  if (sum === undefined) return added;
  const durations: Record<string, number> = { ...sum.durations };
  for (const [bucket, count] of Object.entries(added.durations)) durations[bucket] = (durations[bucket] ?? 0) + count;
  return {
    ...added,
    commands: sum.commands + added.commands,
    rejected: sum.rejected + added.rejected,
    failed: sum.failed + added.failed,
    durations,
  };
}
