import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Uuid } from '../json/index.js';

let newId: () => Uuid;
let observeId: (id: Uuid) => void;

// A new copy of the module for each test: one that moves the clock ahead must not affect the others.
beforeEach(async () => {
  vi.resetModules();
  ({ newId, observeId } = await import('./ids.js'));
});
afterEach(() => vi.useRealTimers());

it('generates UUIDs of version 7 that contain the time', () => {
  const before = Date.now();
  const id = newId();
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const time = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  expect(time).toBeGreaterThanOrEqual(before);
  expect(time).toBeLessThanOrEqual(Date.now());
});

it('generates unique, strictly increasing ids, even more than fit into a millisecond', () => {
  vi.useFakeTimers({ now: Date.now() + 60_000 });
  const ids = Array.from({ length: 20_000 }, () => newId());
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(ids.toSorted());
});

it('generates increasing ids when the clock is set back', () => {
  vi.useFakeTimers({ now: Date.now() + 120_000 });
  const before = newId();
  vi.setSystemTime(Date.now() - 60_000);
  expect(newId() > before).toBe(true);
});

it('generates ids above those that were observed, whatever the clock says', () => {
  const time = Date.now() + 3_600_000;
  const digits = time.toString(16).padStart(12, '0');
  const ahead = `${digits.slice(0, 8)}-${digits.slice(8)}-7abc-bfff-ffffffffffff` as Uuid;
  observeId(ahead);
  const next = newId();
  expect(next > ahead).toBe(true);
  observeId(`${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000` as Uuid);
  expect(newId() > next).toBe(true);
  const full = `${digits.slice(0, 8)}-${digits.slice(8)}-7fff-bfff-ffffffffffff` as Uuid;
  observeId(full);
  expect(newId() > full).toBe(true);
});

it('ignores observed ids without a time', () => {
  const before = newId();
  observeId('ffffffff-ffff-4fff-bfff-ffffffffffff' as Uuid);
  expect(newId().slice(0, 4)).toBe(before.slice(0, 4));
});
