import { expect, it, vi } from 'vitest';
import { isShared, leasesOf, type StorageLeases } from './leases.js';

const leases: StorageLeases = {
  hold: () => Promise.resolve(false),
  release: () => Promise.resolve(),
  readHeld: () => Promise.resolve([]),
  onReleased: () => {},
};

it('returns the leases of a storage that hosts share', () => {
  expect(leasesOf({ leases })).toBe(leases);
  expect(isShared({ leases })).toBe(true);
});

it('gives the only host of a storage every lease', async () => {
  const own = leasesOf({});
  expect(isShared({})).toBe(false);
  expect(await own.hold('any')).toBe(true);
  expect(await own.release('any')).toBeUndefined();
  expect(await own.hold('any')).toBe(true);
  expect(await own.readHeld('')).toEqual([]);
});

it('never notifies the only host of a storage of a released lease', async () => {
  const own = leasesOf({});
  const listener = vi.fn<() => void>();
  own.onReleased(listener);
  await own.release('any');
  expect(listener).not.toHaveBeenCalled();
});
