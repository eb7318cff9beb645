import { afterEach, expect, it, vi } from 'vitest';
import { newId } from '../messages/index.js';
import { OperationState, type OperationRecord, type OperationStorage } from '../storage/index.js';
import { NoOpSystemEventEmitter } from '../system-events/index.js';
import { OperationRun } from './operation-run.js';

afterEach(() => void vi.useRealTimers());

it('renews its lease when the clock of its host is set back, so that no other host takes it over', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const operation: OperationRecord = {
    id: newId(),
    kind: 'trial',
    target: null,
    arguments: {},
    requestedBy: 'ann',
    state: OperationState.Running,
    requestedAt: 0,
    startedAt: 0,
    finishedAt: null,
    isHeld: true,
    attempts: 1,
    progress: null,
    result: null,
    error: null,
  };
  let renewals = 0;
  const storage = {
    leaseMs: 40,
    renew: () => Promise.resolve(++renewals > 0 ? OperationState.Running : null),
    finish: () => Promise.resolve(true),
  } as unknown as OperationStorage;
  const handler = { run: () => vi.waitFor(() => expect(renewals).toBeGreaterThan(2), { timeout: 2_000 }) };
  const reports: unknown[] = [];
  const run = new OperationRun(operation, handler as never, {
    storage,
    holder: newId(),
    emitter: new NoOpSystemEventEmitter(),
    report: (error) => void reports.push(error),
  });
  vi.setSystemTime(Date.now() - 3_600_000);
  await run.run();
  expect(renewals).toBeGreaterThan(2);
  expect(reports).toEqual([]);
});
