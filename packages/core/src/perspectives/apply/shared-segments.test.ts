import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  InMemoryPerspectives,
  type HeldLease,
  type PerspectiveStorage,
  type Progress,
  type StorageLeases,
} from '../../storage/index.js';
import { Divisions } from './divisions.js';
import { towardsEvenShare } from './even-share.js';
import { nameOfWork, workOfName } from './perspective-work.js';
import { perspectiveHolders, WorkShare } from './work-share.js';

/** Perspectives of a database that has divided some of them, and cannot change that now. */
class DividedPerspectives extends InMemoryPerspectives {
  readonly segments: NonNullable<PerspectiveStorage['segments']> = {
    divideAfterMs: Infinity,
    divide: () => Promise.resolve(false),
    unite: () => Promise.resolve(false),
    readStandings: () => Promise.resolve([]),
  };
  readonly #counts: Readonly<Record<string, number>>;

  constructor(counts: Readonly<Record<string, number>>) {
    super();
    this.#counts = counts;
  }

  override async readProgress(perspective: string): Promise<Progress> {
    const progress = await super.readProgress(perspective);
    const count = this.#counts[perspective];
    return count === undefined ? progress : { ...progress, segments: Array.from({ length: count }, () => progress) };
  }
}

let holders: Map<string, string>;
let shares: WorkShare[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  holders = new Map();
  shares = [];
});
afterEach(() => {
  for (const one of shares) one.stop();
  vi.useRealTimers();
});

const leaseOf = (lane: string, holder: string, isOwn: boolean): HeldLease => ({
  lane,
  holder,
  process: null,
  isOwn,
  expiresInMs: 30_000,
});

/** `isSeen`: whether a lane is among the leases that the host reads. */
function share(
  names: readonly string[],
  storage: PerspectiveStorage = new InMemoryPerspectives(),
  isSeen: (lane: string) => boolean = () => true,
): WorkShare {
  const leases: StorageLeases = {
    hold: (lane) => {
      if (!holders.has(lane)) holders.set(lane, 'one');
      return Promise.resolve(holders.get(lane) === 'one');
    },
    release: (lane) => Promise.resolve(void holders.delete(lane)),
    readHeld: (prefix) => {
      const held = [...holders].filter(([lane]) => lane.startsWith(prefix) && isSeen(lane));
      return Promise.resolve(held.map(([lane, holder]) => leaseOf(lane, holder, holder === 'one')));
    },
    onReleased: () => {},
  };
  const made = new WorkShare(names, 'v1', leases, new Divisions(storage), { wake: () => {}, looked: () => {} });
  shares.push(made);
  return made;
}

const ownOf = async (one: WorkShare): Promise<string[]> => (await one.take()).own.map(nameOfWork);

describe('a host that shares work with another one', () => {
  it('takes the place of its rank also if its own lease is missing among those that it reads', async () => {
    holders.set('perspectives/v1/host/a', 'a');
    const one = share(['A', 'B'], undefined, (lane) => lane === 'perspectives/v1/host/a');
    // The other host is the first one, so it takes the first perspective.
    expect(await ownOf(one)).toEqual(['B']);
    expect(holders.get('perspectives/v1/of/B')).toBe('one');
    expect(holders.has('perspectives/v1/of/A')).toBe(false);
    expect(one.otherHosts).toBe(1);
  });

  it('takes all segments of a perspective together while there are enough perspectives', async () => {
    holders.set('perspectives/v1/host/z/segments', 'z');
    const one = share(['A', 'B'], new DividedPerspectives({ A: 4 }));
    expect(await ownOf(one)).toEqual(['A#0/4', 'A#1/4', 'A#2/4', 'A#3/4']);
  });

  it('takes some segments of a perspective if there are more hosts than perspectives', async () => {
    holders.set('perspectives/v1/host/z/segments', 'z');
    const one = share(['A'], new DividedPerspectives({ A: 4 }));
    expect(await ownOf(one)).toEqual(['A#0/4', 'A#1/4']);
    expect(one.partOf('A')).toEqual({ own: 2, all: 4 });
    expect(one.partOf('B')).toEqual({ own: 0, all: 0 });
  });

  it('releases the segments beyond its share, and no lease of another kind', async () => {
    holders.set('perspectives/v1/host/z/segments', 'z').set('perspectives/v1/fill/0 {}', 'one');
    for (const index of [0, 1, 2, 3]) holders.set(`perspectives/v1/of/A#${index}/4`, 'one');
    const one = share(['A'], new DividedPerspectives({ A: 4 }));
    expect(await ownOf(one)).toEqual(['A#0/4', 'A#1/4']);
    const held = [...holders].filter(([, holder]) => holder === 'one').map(([lane]) => lane);
    expect(held).toContain('perspectives/v1/fill/0 {}');
    expect(held.filter((lane) => lane.startsWith(one.lanes))).toEqual([`${one.lanes}A#0/4`, `${one.lanes}A#1/4`]);
  });

  it('has a rank among all hosts in the order of their names', () => {
    const work = { lanes: ['1', '2', '3'], hosts: ['a', 'b'], holders: new Map<string, string>() };
    expect(towardsEvenShare({ ...work, self: 'a' })).toEqual({ release: [], take: ['1', '2'] });
    expect(towardsEvenShare({ ...work, self: 'b' })).toEqual({ release: [], take: ['3'] });
    const all = new Map(['1', '2', '3'].map((lane) => [lane, 'b']));
    expect(towardsEvenShare({ ...work, holders: all, self: 'b' })).toEqual({ release: ['2', '3'], take: [] });
    expect(towardsEvenShare({ ...work, holders: all, self: 'a' })).toEqual({ release: [], take: [] });
  });

  it('recognizes the hosts of segments, and names without a number as whole perspectives', () => {
    expect(workOfName('Orders#x/2')).toEqual({ perspective: 'Orders#x/2' });
    expect(workOfName('Orders#10/16')).toEqual({ perspective: 'Orders', segment: { index: 10, of: 16 } });
    expect(workOfName('Or\nders#0/2')).toEqual({ perspective: 'Or\nders', segment: { index: 0, of: 2 } });
    expect(perspectiveHolders([leaseOf('perspectives/v1/of/', 'h', false)])).toEqual([]);
  });
});
