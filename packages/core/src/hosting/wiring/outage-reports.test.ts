import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StorageUnavailableError } from '../../storage/index.js';
import { OutageReports } from './outage-reports.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const outage = new StorageUnavailableError('none', new Error('connect ECONNREFUSED'));

/** A database that answers if `isUp`, and the reports of two parts. */
function watched() {
  const database = { isUp: false };
  const ping = (): Promise<void> => (database.isUp ? Promise.resolve() : Promise.reject(outage));
  const reports = new OutageReports({ ping });
  const reported: unknown[] = [];
  const first = reports.through((error) => reported.push(error));
  const second = reports.through((error) => reported.push(error));
  return { database, reports, reported, first, second };
}

it('reports an outage once for all parts, once per minute while it lasts, and once when it is over', async () => {
  const { database, reported, first, second } = watched();
  for (const report of [first, second, first]) report(outage);
  expect(reported).toEqual([outage]);
  await vi.advanceTimersByTimeAsync(60_000);
  for (const report of [first, second]) report(outage);
  expect(reported).toEqual([outage, outage]);
  database.isUp = true;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reported.slice(2)).toEqual([
    expect.objectContaining({
      code: 'SVC_STORAGE_AVAILABLE',
      message: 'The database is available again, after 61 s.',
    }),
  ]);
  second(outage);
  expect(reported[3]).toBe(outage);
});

it('reports everything else at once, also during an outage', () => {
  const { reported, first } = watched();
  const full = new StorageUnavailableError('none', new Error('no space'), 'full');
  const errors = [outage, full, full, new Error('broken'), new Error('broken')];
  for (const error of errors) first(error);
  expect(reported).toEqual(errors);
});

it('reports every failure of a storage that cannot be asked', () => {
  const reported: unknown[] = [];
  const report = new OutageReports(undefined).through((error) => reported.push(error));
  report(outage);
  report(outage);
  expect(reported).toHaveLength(2);
});

it('asks no more when it is stopped', async () => {
  const { database, reports, reported, first } = watched();
  first(outage);
  reports.stop();
  database.isUp = true;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reported).toEqual([outage]);
});
