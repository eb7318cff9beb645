import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  InMemoryStorage,
  isOfSegment,
  newTables,
  type HeldLease,
  type ModelTables,
  type PerspectiveCommit,
  type StorageLeases,
} from '../../storage/index.js';
import { DividedPerspectives } from '../testing/divided-perspectives.js';
import { appendEvent } from '../testing/trial-events.js';
import { Noted } from '../testing/trial-messages.js';
import { namedPerspective } from '../testing/trial-perspective.js';
import { ownLeases, rebuildParts } from '../testing/trial-rebuild.js';
import { batchSize, catchUp } from './catch-up.js';
import { RebuildHelp } from './rebuild-help.js';
import { rebuild } from './rebuild.js';
import type { RebuildProgress } from './rebuild-report.js';
import type { RebuildParts } from './replay.js';
import { FillLanes, type SharedTables } from './shared-fill.js';

const named = namedPerspective({
  perspective: { apply: (model: { count: number } | null) => ({ count: (model?.count ?? 0) + 1 }) },
  events: [Noted],
});

let storage: InMemoryStorage;
let perspectives: DividedPerspectives;
let parts: RebuildParts;
let holders: Map<string, string>;
let leases: StorageLeases;
let lanes: FillLanes;
let touched: number;

beforeEach(() => {
  storage = new InMemoryStorage();
  perspectives = new DividedPerspectives();
  holders = new Map();
  touched = 0;
  leases = ownLeases(holders);
  lanes = new FillLanes('perspectives/v1/', leases);
  parts = rebuildParts(storage, {
    storage: perspectives,
    mayTouch: () => Promise.resolve(++touched > 0),
    helpers: () => ({ count: 1, lanes }),
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function append(count: number): void {
  for (let i = 0; i < count; i++) appendEvent(storage);
}

/** Rebuilds the perspective, however long its hosts wait for each other. Returns its progress. */
async function rebuilt(onProgress: (progress: RebuildProgress) => void = () => {}): Promise<number[]> {
  const seen: number[] = [];
  let isOver = false;
  const running = rebuild(
    named,
    {
      onProgress: (progress) => {
        seen.push(progress.eventsReplayed);
        onProgress(progress);
      },
    },
    parts,
  ).finally(() => (isOver = true));
  await vi.waitFor(() => {
    vi.advanceTimersByTime(200);
    expect(isOver).toBe(true);
  });
  await running;
  return seen;
}

describe('a rebuild with other hosts', () => {
  it('reports each event once while it fills its segments, and claims the rebuild all the time', async () => {
    append(batchSize + 3);
    const seen = await rebuilt();
    // The second segment reads the same events. The last ones are those of the tables once they are whole.
    expect(seen).toEqual([0, batchSize, batchSize + 3, batchSize + 3]);
    // For each of two batches of two segments, for the wait after them, and once for the whole tables.
    expect(touched).toBe(6);
  });

  it('counts only the events beyond those that another segment had reached', async () => {
    append(900);
    const { divide } = perspectives.segments;
    perspectives.segments.divide = async (tables, from, count) => {
      const into = { ...tables, segment: { index: 1, of: 2 } };
      await catchUp(named, { into, isShared: false, signal: undefined, until: { sequence: 299 } }, parts);
      return await divide(tables, from, count);
    };
    const hold = leases.hold;
    let calls = 0;
    // It loses the first segment with its second batch.
    leases.hold = (lane) => (++calls === 3 ? Promise.resolve(false) : hold(lane));
    const seen = await rebuilt();
    expect(seen.slice(0, 4)).toEqual([0, 500, 800, 900]);
  });

  it('ends once another host has made the tables whole', async () => {
    append(3);
    const { unite } = perspectives.segments;
    const united: ModelTables[] = [];
    perspectives.segments.unite = async (tables) => {
      united.push(tables);
      await unite(tables);
      return false;
    };
    const seen = await rebuilt();
    expect(united).toHaveLength(1);
    expect(seen.at(-1)).toBe(3);
  });

  it('makes the tables whole only when all segments have reached the end', async () => {
    append(3);
    const unite = vi.spyOn(perspectives.segments, 'unite');
    const hold = leases.hold;
    let refusals = 0;
    // Another host holds the second segment for a while, and ends without filling it.
    leases.hold = (lane) => (lane.includes('fill/1 ') && refusals++ < 2 ? Promise.resolve(false) : hold(lane));
    await rebuilt();
    expect(refusals).toBeGreaterThan(2);
    expect(unite).toHaveBeenCalledTimes(1);
    expect((await perspectives.readProgress('Notes')).sequence).toBe(2);
  });
});

describe('a host that helps', () => {
  let tables: ModelTables;
  let shared: SharedTables;
  let stopping: AbortController;
  let errors: unknown[];
  let help: RebuildHelp;

  beforeEach(() => {
    tables = newTables('Notes', 'rebuilding');
    shared = { tables, segments: 2, head: 5 };
    append(6);
    perspectives.divided.set(tables.name, 2);
    stopping = new AbortController();
    errors = [];
    const report = (error: unknown): void => void errors.push(error);
    help = new RebuildHelp([named], { ...parts, lanes, signal: stopping.signal, report });
  });
  const leaseOf = (one: SharedTables): HeldLease => ({
    lane: `perspectives/v1/fill/9 ${JSON.stringify(one)}`,
    holder: 'other',
    process: null,
    isOwn: false,
    expiresInMs: 9_000,
  });
  const filled = async (): Promise<number[]> =>
    (await perspectives.readProgress(tables)).segments!.map(({ sequence }) => sequence);

  it('applies to each segment the events of its own models', async () => {
    const commits: PerspectiveCommit[] = [];
    const commit = perspectives.commitPerspective.bind(perspectives);
    perspectives.commitPerspective = (one) => {
      commits.push(one);
      commit(one);
    };
    help.takePart([leaseOf(shared)]);
    await help.idle();
    expect(await filled()).toEqual([5, 5]);
    expect(commits.map(({ tables: one }) => one!.segment!.index)).toEqual([0, 1]);
    for (const { models, tables: one } of commits) {
      expect(models.every(({ id }) => isOfSegment(id, one!.segment!))).toBe(true);
    }
    expect(commits.flatMap(({ models }) => models)).toHaveLength(6);
  });

  it('stops in the middle of a segment when its host stops, without an error', async () => {
    const hold = leases.hold;
    leases.hold = (lane) => {
      stopping.abort(new Error('stopping'));
      return hold(lane);
    };
    help.takePart([leaseOf(shared)]);
    await help.idle();
    expect(await filled()).toEqual([-1, -1]);
    expect(errors).toEqual([]);
    expect(holders.size).toBe(0);
  });

  it('ignores the rebuild of a perspective that it does not have, and helps with the others', async () => {
    const foreign = { ...shared, tables: newTables('Foreign', 'rebuilding') };
    help.takePart([leaseOf(foreign), leaseOf(shared)]);
    await help.idle();
    expect(errors).toEqual([]);
    expect(await filled()).toEqual([5, 5]);
  });
});
