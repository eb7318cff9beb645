import { expect, it } from 'vitest';
import { newId } from '../messages/index.js';
import { InMemoryStorage } from '../storage/index.js';
import { scheduleChecks } from './schedule-check.js';

it('is Degraded while scheduled commands are overdue, and says how many and how late', async () => {
  const storage = new InMemoryStorage();
  const [check] = scheduleChecks(storage);
  const id = newId();
  const message = { id, type: 'test.Remind', body: '{}', timestamp: 0, correlationId: id, causationId: null };
  const dueFor = (ms: number) => ({
    message: { ...message, id: newId(), scope: null, metadata: {} },
    key: null,
    due: { at: Date.now() - ms },
  });
  const added = [dueFor(0), dueFor(60_000), dueFor(120_000)];
  const nothing = { events: [], outgoing: [], delivered: null, received: [] };
  storage.commit({ ...nothing, schedules: { settled: null, cancelled: [], added: added.slice(0, 1) } });
  expect(await check!.check(new AbortController().signal)).toEqual({
    status: 'Healthy',
    data: { overdue: 0, lateMs: 0 },
  });
  storage.commit({ ...nothing, schedules: { settled: null, cancelled: [], added: added.slice(1) } });
  const { status, description, data } = await check!.check(new AbortController().signal);
  expect([status, description]).toEqual(['Degraded', 'Scheduled commands are overdue: 2. Run svc schedule list.']);
  expect(data).toEqual({ overdue: 2, lateMs: expect.closeTo(120_000, -4) as number });
});

it('is absent without the capability, and Degraded if the database does not answer', async () => {
  expect(scheduleChecks({})).toEqual([]);
  const storage = new InMemoryStorage();
  storage.schedule.readStanding = () => Promise.reject(new Error('unavailable'));
  const [check] = scheduleChecks(storage);
  expect(await check!.check(new AbortController().signal)).toMatchObject({ status: 'Degraded' });
});
