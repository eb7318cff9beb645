import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  InMemoryPerspectives,
  leasesOf,
  type HeldLease,
  type PerspectiveStorage,
  type Progress,
} from '../../storage/index.js';
import { Divisions } from './divisions.js';
import { nameOfWork, type PerspectiveWork } from './perspective-work.js';
import { SharedLeases } from '../testing/shared-leases.js';
import { lookMs, perspectiveHolders, WorkShare } from './work-share.js';

/** Perspectives of a database that can divide them. Only their segments count here. */
class DividedPerspectives extends InMemoryPerspectives {
  readonly divided = new Map<string, number>();
  readonly places = new Map<string, number>();
  readonly calls: string[] = [];
  mayUnite = true;
  readonly segments: NonNullable<PerspectiveStorage['segments']>;

  constructor(divideAfterMs: number) {
    super();
    this.segments = {
      divideAfterMs,
      divide: ({ perspective }, _from, count) => {
        this.calls.push(`divide ${perspective} into ${count}`);
        this.divided.set(perspective, count);
        return Promise.resolve(true);
      },
      unite: ({ perspective }) => {
        this.calls.push(`unite ${perspective}`);
        if (this.mayUnite) this.divided.delete(perspective);
        return Promise.resolve(this.mayUnite);
      },
      readStandings: () => Promise.resolve([]),
    };
  }

  override async readProgress(perspective: string): Promise<Progress> {
    const read = await super.readProgress(perspective);
    const progress = { ...read, sequence: this.places.get(perspective) ?? read.sequence };
    const count = this.divided.get(perspective);
    return count === undefined ? progress : { ...progress, segments: Array.from({ length: count }, () => progress) };
  }
}

let leases: SharedLeases;
let stops: (() => void)[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  leases = new SharedLeases();
  stops = [];
});
afterEach(() => {
  for (const stop of stops) stop();
  vi.useRealTimers();
});

interface HostOptions {
  readonly names?: readonly string[];
  readonly version?: string;
  readonly storage?: PerspectiveStorage;
}

function host(
  name: string,
  { names = ['A', 'B'], version = 'v1', storage = new InMemoryPerspectives() }: HostOptions = {},
) {
  const own = leases.of(name);
  const wake = vi.fn<() => void>();
  const looked = vi.fn<(held: readonly HeldLease[]) => void>();
  const share = new WorkShare(names, version, own, new Divisions(storage), { wake, looked });
  stops.push(() => share.stop());
  return { share, wake, looked, released: own.released };
}

async function ownOf(share: WorkShare): Promise<string[]> {
  return (await share.take()).own.map(nameOfWork);
}

/** Lets hosts check repeatedly, until each has seen what the others did. */
async function settle(...shares: readonly WorkShare[]): Promise<string[][]> {
  for (let round = 0; round < 4; round++) {
    vi.advanceTimersByTime(lookMs);
    for (const share of shares) await share.take();
  }
  return await Promise.all(shares.map(ownOf));
}

const whole = (perspective: string): PerspectiveWork => ({ perspective });

describe('a host that is alone', () => {
  it('has nothing until it checks, and then processes all perspectives', async () => {
    const { share } = host('one');
    expect(share.isComplete).toBe(false);
    expect(share.partOf('A')).toEqual({ own: 0, all: 1 });
    expect(await share.take()).toEqual({ own: [whole('A'), whole('B')], others: [] });
    expect(share.isComplete).toBe(true);
    expect(share.partOf('A')).toEqual({ own: 1, all: 1 });
    expect(share.otherHosts).toBe(0);
  });

  it('processes them also with a storage that no other host can use', async () => {
    const listeners = { wake: () => {}, looked: () => {} };
    const storage = new InMemoryPerspectives();
    const share = new WorkShare(['A'], 'v1', leasesOf({}), new Divisions(storage), listeners);
    expect(await ownOf(share)).toEqual(['A']);
  });

  it('names its lanes by the version and the perspective', async () => {
    const { share } = host('one', { names: ['A'] });
    await share.take();
    expect(share.group).toBe('perspectives/v1/');
    expect(share.lanes).toBe('perspectives/v1/of/');
    const lanes = [...leases.holders.keys()];
    expect(lanes).toContain('perspectives/v1/of/A');
    expect(lanes.filter((lane) => /^perspectives\/v1\/host\/[0-9a-f-]{36}$/.test(lane))).toHaveLength(1);
    expect(lanes).toHaveLength(2);
  });

  it('renews all of its leases each time, and checks the other hosts once in a while', async () => {
    const { share, looked } = host('one');
    await share.take();
    expect(looked).toHaveBeenCalledTimes(1);
    leases.calls.length = 0;
    vi.advanceTimersByTime(lookMs - 1);
    await share.take();
    expect(looked).toHaveBeenCalledTimes(1);
    expect(leases.calls.map((call) => call.split('/').at(-1))).toEqual([expect.any(String), 'A', 'B']);
    vi.advanceTimersByTime(1);
    await share.take();
    expect(looked).toHaveBeenCalledTimes(2);
    expect(leases.calls.filter((call) => call.includes('releases'))).toEqual([]);
  });
});

describe('hosts of one version', () => {
  it('share the perspectives evenly, and report which hosts there are', async () => {
    const [one, two] = [host('one'), host('two')];
    await one.share.take();
    const [first, second] = await settle(one.share, two.share);
    expect([...first!, ...second!].toSorted()).toEqual(['A', 'B']);
    expect([first!.length, second!.length]).toEqual([1, 1]);
    expect(one.share.otherHosts).toBe(1);
    expect(one.share.isComplete).toBe(false);
    expect(one.share.partOf(second![0]!)).toEqual({ own: 0, all: 1 });
    expect((await one.share.take()).others.map(nameOfWork)).toEqual(second);
    const [held] = one.looked.mock.lastCall!;
    expect(perspectiveHolders(held).toSorted((a, b) => a.perspective.localeCompare(b.perspective))).toEqual([
      { perspective: 'A', process: `process of ${first![0] === 'A' ? 'one' : 'two'}` },
      { perspective: 'B', process: `process of ${first![0] === 'B' ? 'one' : 'two'}` },
    ]);
  });

  it('that start together each take their own part', async () => {
    const names = ['A', 'B', 'C'];
    leases.holders.set('perspectives/v1/host/first', 'first');
    const second = host('second', { names });
    expect(await ownOf(second.share)).toHaveLength(1);
  });

  it('do not share with those of another version', async () => {
    const [one, two] = [host('one'), host('two', { version: 'v2' })];
    expect(await settle(one.share, two.share)).toEqual([
      ['A', 'B'],
      ['A', 'B'],
    ]);
    expect(one.share.otherHosts).toBe(0);
  });

  it('take over at once what another host has released', async () => {
    const [one, two] = [host('one'), host('two')];
    const [, second] = await settle(one.share, two.share);
    for (const [lane, holder] of leases.holders) if (holder === 'two') leases.holders.delete(lane);
    expect(await ownOf(one.share)).not.toContain(second![0]);
    one.released();
    expect((await ownOf(one.share)).toSorted()).toEqual(['A', 'B']);
  });

  it('stop to process a perspective whose lease they have lost, and check at once', async () => {
    const { share, looked } = host('one');
    await share.take();
    leases.holders.set('perspectives/v1/of/A', 'thief');
    expect(await share.holds(whole('A'))).toBe(false);
    expect(share.partOf('A')).toEqual({ own: 0, all: 1 });
    expect(await share.holds(whole('B'))).toBe(true);
    expect(await share.holds(whole('C'))).toBe(false);
    expect(share.isComplete).toBe(false);
    leases.holders.delete('perspectives/v1/of/A');
    expect((await ownOf(share)).toSorted()).toEqual(['A', 'B']);
    expect(looked).toHaveBeenCalledTimes(2);
  });

  it('try again at once when another host was faster, a few times', async () => {
    const { share, looked } = host('one', { names: ['A'] });
    let reads = 0;
    // The lease is free when it is read, and taken right after that.
    leases.beforeRead = () => {
      reads++;
      leases.holders.delete('perspectives/v1/of/A');
      queueMicrotask(() => leases.holders.set('perspectives/v1/of/A', 'faster'));
    };
    expect(await ownOf(share)).toEqual([]);
    expect(reads).toBe(3);
    expect(looked).toHaveBeenCalledTimes(3);
    leases.beforeRead = () => {};
    leases.holders.delete('perspectives/v1/of/A');
    share.progressed(whole('A'), true);
    expect(await ownOf(share)).toEqual([]);
    vi.advanceTimersByTime(lookMs);
    expect(await ownOf(share)).toEqual(['A']);
    expect(reads).toBe(3);
  });

  it('wake up when the lease of a host that ended without releasing it has expired', async () => {
    const { share, wake, looked } = host('one', { names: ['A'] });
    leases.holders.set('perspectives/v1/of/A', 'killed');
    leases.expiresInMs.set('perspectives/v1/of/A', 400);
    expect(await ownOf(share)).toEqual([]);
    vi.advanceTimersByTime(400);
    expect(wake).not.toHaveBeenCalled();
    leases.holders.delete('perspectives/v1/of/A');
    vi.advanceTimersByTime(1);
    expect(wake).toHaveBeenCalledTimes(1);
    expect(await ownOf(share)).toEqual(['A']);
    expect(looked.mock.calls.length).toBeGreaterThan(1);
  });

  it('do not wake up for a lease that lasts until the next check, nor for their own, nor after they stop', async () => {
    const { share, wake } = host('one', { names: ['A'] });
    leases.holders.set('perspectives/v1/of/A', 'other');
    leases.expiresInMs.set('perspectives/v1/of/A', lookMs);
    await share.take();
    expect(vi.getTimerCount()).toBe(0);
    leases.expiresInMs.set('perspectives/v1/of/A', 300);
    vi.advanceTimersByTime(lookMs);
    await share.take();
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(0);
    share.stop();
    expect(vi.getTimerCount()).toBe(0);
    const alone = host('alone', { names: ['B'], version: 'v2' });
    leases.expiresInMs.set('perspectives/v2/of/B', 300);
    await alone.share.take();
    vi.advanceTimersByTime(lookMs);
    await alone.share.take();
    expect(vi.getTimerCount()).toBe(0);
    expect(wake).not.toHaveBeenCalled();
  });

  it('have one timer, for the lease that expires first', async () => {
    const { share, wake, released } = host('one', { names: ['A', 'B'] });
    leases.holders.set('perspectives/v1/of/A', 'killed').set('perspectives/v1/of/B', 'killed');
    leases.expiresInMs.set('perspectives/v1/of/A', 900).set('perspectives/v1/of/B', 200);
    await share.take();
    vi.advanceTimersByTime(201);
    expect(wake).toHaveBeenCalledTimes(1);
    await share.take();
    released();
    await share.take();
    expect(vi.getTimerCount()).toBe(1);
  });
});

describe('more hosts than perspectives', () => {
  const names = ['A'];

  it('divide a perspective that is behind, and share its segments', async () => {
    const storage = new DividedPerspectives(0);
    const [one, two] = [host('one', { names, storage }), host('two', { names, storage })];
    const [first, second] = await settle(one.share, two.share);
    expect(storage.calls).toEqual(['divide A into 2']);
    expect([...first!, ...second!].toSorted()).toEqual(['A#0/2', 'A#1/2']);
    expect(one.share.partOf('A')).toEqual({ own: 1, all: 2 });
    expect([...leases.holders.keys()].filter((lane) => lane.includes('/host/'))).toEqual([
      expect.stringMatching(/\/segments$/),
      expect.stringMatching(/\/segments$/),
    ]);
  });

  it('divide it into as many segments as there are idle hosts and its own', async () => {
    const storage = new DividedPerspectives(0);
    for (const other of ['x', 'y', 'z']) leases.holders.set(`perspectives/v1/host/${other}/segments`, other);
    expect(await ownOf(host('one', { names, storage }).share)).toEqual(['A#0/4']);
    expect(storage.calls).toEqual(['divide A into 4']);
  });

  it('divide it only after its host has been behind for a while without a break', async () => {
    const storage = new DividedPerspectives(5_000);
    const shares = ['one', 'two'].map((name) => host(name, { names, storage }).share);
    const all = await settle(...shares);
    const holder = shares[all.findIndex((own) => own.length === 1)]!;
    holder.progressed(whole('A'), true);
    vi.advanceTimersByTime(4_000);
    holder.progressed(whole('A'), false);
    holder.progressed(whole('A'), true);
    vi.advanceTimersByTime(4_000);
    await holder.take();
    expect(storage.calls).toEqual([]);
    holder.progressed(whole('A'), true);
    vi.advanceTimersByTime(1_000);
    await holder.take();
    expect(storage.calls).toEqual(['divide A into 2']);
  });

  it('divide the perspective that is furthest behind, or another one after twice the time', async () => {
    const storage = new DividedPerspectives(5_000);
    storage.places.set('A', 9).set('B', 4);
    const shares = ['one', 'two', 'three'].map((name) => host(name, { storage }).share);
    const all = await settle(...shares);
    const [a, b] = ['A', 'B'].map((name) => shares[all.findIndex((own) => own.includes(name))]!);
    a!.progressed(whole('A'), true);
    b!.progressed(whole('B'), true);
    vi.advanceTimersByTime(5_000);
    await a!.take();
    expect(storage.calls).toEqual([]);
    await b!.take();
    expect(storage.calls).toEqual(['divide B into 2']);
    storage.divided.clear();
    vi.advanceTimersByTime(5_000);
    await a!.take();
    expect(storage.calls).toEqual(['divide B into 2', 'divide A into 2']);
  });

  it('forget since when a host was behind once it no longer processes the perspective', async () => {
    const storage = new DividedPerspectives(5_000);
    const shares = ['one', 'two'].map((name) => host(name, { names, storage }).share);
    const all = await settle(...shares);
    const holder = shares[all.findIndex((own) => own.length === 1)]!;
    holder.progressed(whole('A'), true);
    const lane = 'perspectives/v1/of/A';
    const name = leases.holders.get(lane)!;
    leases.holders.set(lane, 'thief');
    vi.advanceTimersByTime(lookMs);
    expect(await ownOf(holder)).toEqual([]);
    leases.holders.set(lane, name);
    vi.advanceTimersByTime(5_000);
    expect(await ownOf(holder)).toEqual(['A']);
    expect(storage.calls).toEqual([]);
  });

  it('do not divide while one of them cannot process segments', async () => {
    const storage = new DividedPerspectives(0);
    const [one, two] = [host('one', { names, storage }), host('two', { names })];
    await settle(one.share, two.share);
    expect(storage.calls).toEqual([]);
    const three = host('three', { names, storage });
    await settle(one.share, two.share, three.share);
    expect(storage.calls).toEqual([]);
  });

  it('neither divide further nor make whole while each of them has something to do', async () => {
    const storage = new DividedPerspectives(0);
    const hold = (lanes: Readonly<Record<string, string>>): void => {
      leases.holders.clear();
      for (const other of ['x', 'y']) leases.holders.set(`perspectives/v1/host/${other}/segments`, other);
      for (const [work, holder] of Object.entries(lanes)) leases.holders.set(`perspectives/v1/of/${work}`, holder);
    };
    storage.divided.set('B', 2);
    hold({ A: 'one', 'B#0/2': 'x', 'B#1/2': 'y' });
    const { share } = host('one', { storage });
    expect(await ownOf(share)).toEqual(['A']);
    expect(storage.calls).toEqual([]);
    storage.divided.set('A', 2).set('B', 4);
    hold({ 'A#0/2': 'one', 'A#1/2': 'one', 'B#0/4': 'x', 'B#1/4': 'x', 'B#2/4': 'y', 'B#3/4': 'y' });
    vi.advanceTimersByTime(lookMs);
    expect(await ownOf(share)).toEqual(['A#0/2', 'A#1/2']);
    expect(storage.calls).toEqual([]);
  });

  it('do not divide what the storage cannot divide now', async () => {
    const storage = new DividedPerspectives(0);
    const divide = vi.spyOn(storage.segments, 'divide').mockResolvedValue(false);
    const [one, two] = [host('one', { names, storage }), host('two', { names, storage })];
    const owned = await settle(one.share, two.share);
    expect(owned.flat()).toEqual(['A']);
    expect(divide).toHaveBeenCalled();
  });
});

describe('no more hosts than perspectives', () => {
  it('never divide, however far they are behind', async () => {
    const storage = new DividedPerspectives(0);
    const [one, two] = [host('one', { storage }), host('two', { storage })];
    await settle(one.share, two.share);
    expect(storage.calls).toEqual([]);
  });

  it('give all segments of a perspective to one host, which makes it whole', async () => {
    const storage = new DividedPerspectives(0);
    storage.divided.set('A', 4);
    const { share } = host('one', { names: ['A'], storage });
    storage.mayUnite = false;
    expect(await ownOf(share)).toEqual(['A#0/4', 'A#1/4', 'A#2/4', 'A#3/4']);
    expect(storage.calls).toEqual(['unite A']);
    storage.mayUnite = true;
    vi.advanceTimersByTime(lookMs);
    expect(await ownOf(share)).toEqual(['A']);
    expect([...leases.holders.keys()].filter((lane) => lane.startsWith(share.lanes))).toEqual([`${share.lanes}A`]);
  });

  it('keep the segments of a perspective together', async () => {
    const storage = new DividedPerspectives(0);
    storage.divided.set('A', 2);
    storage.mayUnite = false;
    const [one, two] = [host('one', { storage }), host('two', { storage })];
    const owned = await settle(one.share, two.share);
    expect(owned.toSorted((a, b) => a.length - b.length)).toEqual([['B'], ['A#0/2', 'A#1/2']]);
  });

  it('wait for the segments that another host still holds', async () => {
    const storage = new DividedPerspectives(0);
    storage.divided.set('A', 2);
    leases.holders.set('perspectives/v1/of/A#1/2', 'other');
    const { share } = host('one', { names: ['A'], storage });
    expect(await ownOf(share)).toEqual(['A#0/2']);
    expect(storage.calls).toEqual([]);
  });
});
