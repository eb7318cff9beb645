import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { towardsEvenShare } from './even-share.js';

const lanesOf = (count: number): string[] => Array.from({ length: count }, (_, i) => `lane ${i}`);

/** Lets hosts act in a given order until nothing changes, and returns how many lanes changed their host. */
function settle(lanes: readonly string[], hosts: readonly string[], holders: Map<string, string>): number {
  let moves = 0;
  for (let isChanged = true, rounds = 0; isChanged; rounds++) {
    expect(rounds).toBeLessThan(10);
    isChanged = false;
    for (const self of hosts) {
      const { release, take } = towardsEvenShare({ lanes, hosts, holders, self });
      for (const lane of release) holders.delete(lane);
      for (const lane of take) holders.set(lane, self);
      moves += take.length;
      isChanged ||= release.length + take.length > 0;
    }
  }
  return moves;
}

function countsOf(hosts: readonly string[], holders: ReadonlyMap<string, string>): number[] {
  return hosts.map((host) => [...holders.values()].filter((holder) => holder === host).length);
}

describe('an even share', () => {
  it('gives a host that is alone everything', () => {
    const lanes = lanesOf(3);
    expect(towardsEvenShare({ lanes, hosts: ['a'], holders: new Map(), self: 'a' })).toEqual({
      release: [],
      take: lanes,
    });
  });

  it('lets hosts that start together take different lanes', () => {
    const lanes = lanesOf(4);
    const hosts = ['a', 'b', 'c'];
    const taken = hosts.flatMap((self) => towardsEvenShare({ lanes, hosts, holders: new Map(), self }).take);
    expect(taken.toSorted()).toEqual(lanes);
    const two = hosts.map((self) => towardsEvenShare({ lanes: lanesOf(7), hosts, holders: new Map(), self }).take);
    expect(two.flat().toSorted()).toEqual(lanesOf(7));
  });

  it('takes only free lanes, each once, and only those that are missing', () => {
    const [lanes, hosts] = [lanesOf(4), ['a', 'b']];
    const few = new Map([0, 1, 2].map((i) => [`lane ${i}`, 'b']));
    expect(towardsEvenShare({ lanes, hosts, holders: few, self: 'a' })).toEqual({ release: [], take: ['lane 3'] });
    const own = new Map([['lane 0', 'a']]);
    expect(towardsEvenShare({ lanes, hosts, holders: own, self: 'a' }).take).toHaveLength(1);
  });

  it('leaves hosts without work if there are more hosts than lanes', () => {
    const holders = new Map<string, string>();
    settle(lanesOf(2), ['a', 'b', 'c'], holders);
    expect(countsOf(['a', 'b', 'c'], holders)).toEqual([1, 1, 0]);
  });

  it('is reached from any distribution, whichever hosts join and leave', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.subarray(names, { minLength: 1 }), { minLength: 1, maxLength: 6 }),
        (count, changes) => {
          const lanes = lanesOf(count);
          const holders = new Map<string, string>();
          for (const hosts of changes) {
            for (const [lane, holder] of holders) if (!hosts.includes(holder)) holders.delete(lane);
            settle(lanes, hosts, holders);
            const counts = countsOf(hosts, holders);
            expect(holders.size).toBe(count);
            expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
            expect(settle(lanes, hosts, holders)).toBe(0);
          }
        },
      ),
    );
  });
});
