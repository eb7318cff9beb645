import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServerState } from './servers.js';
import { splitOfServers, weightCommands, weightsFor } from './weights.js';

const server = (name: string, weight: number): ServerState => ({
  name,
  environment: name.startsWith('blue') ? 'blue' : 'green',
  address: '127.0.0.1:1',
  weight,
  inService: true,
  ready: true,
});

describe('weights', () => {
  it('equal the percents when both environments have the same number of instances', () => {
    for (const count of [1, 2, 7]) {
      expect(weightsFor({ blue: 90, green: 10 }, { blue: count, green: count })).toEqual({ blue: 90, green: 10 });
    }
  });

  it('compensate different numbers of instances, exactly for up to 10 of each', () => {
    for (const share of [0, 10, 25, 50, 75, 100]) {
      for (let blue = 1; blue <= 10; blue += 1) {
        for (let green = 1; green <= 10; green += 1) {
          const weights = weightsFor({ blue: 100 - share, green: share }, { blue, green });
          expect(weights.green * green * (100 - share)).toBe(weights.blue * blue * share);
          expect(Math.max(weights.blue, weights.green)).toBeLessThanOrEqual(256);
        }
      }
    }
  });

  it('never leave all servers without weight during any change', () => {
    const weight = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 256 }));
    fc.assert(
      fc.property(weight, weight, weight, weight, (blue, green, nextBlue, nextGreen) => {
        fc.pre(blue + green > 0 && nextBlue + nextGreen > 0);
        const now = new Map([
          ['orders/blue-1', blue],
          ['orders/green-1', green],
        ]);
        const servers = [server('blue-1', blue), server('green-1', green)];
        for (const command of weightCommands('orders', servers, { blue: nextBlue, green: nextGreen })) {
          const [, name, value] = /^set server (\S+) weight (\d+)$/.exec(command) ?? [];
          now.set(name!, Number(value));
          expect([...now.values()].reduce((sum, each) => sum + each, 0)).toBeGreaterThan(0);
        }
        expect([...now.values()]).toEqual([nextBlue, nextGreen]);
      }),
    );
  });

  it('convert back to the split they were made from', () => {
    const weights = weightsFor({ blue: 75, green: 25 }, { blue: 3, green: 1 });
    const blues = [1, 2, 3].map((i) => server(`blue-${i}`, weights.blue));
    expect(splitOfServers([...blues, server('green-1', weights.green)])).toEqual({ blue: 75, green: 25 });
  });
});
