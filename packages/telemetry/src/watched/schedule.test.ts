import { InMemoryStorage, newId } from '@svc/core';
import { commitRecord } from '@svc/core/testing';
import { expect, it } from 'vitest';
import { watchedSchedule } from './schedule.js';

it('measures how late commands are claimed for the first time', async () => {
  const storage = new InMemoryStorage();
  const measured: [string, number, object][] = [];
  const watched = watchedSchedule(storage.schedule, {
    record: ({ name }, value, labels) => measured.push([name, value, labels]),
  });
  const id = newId();
  const message = { id, type: 'test.Remind', body: '{}', timestamp: 0, correlationId: id, causationId: null };
  const due = { at: Date.now() - 90_000 };
  const added = [{ message: { ...message, scope: null, metadata: {} }, key: null, due }];
  storage.commit(commitRecord({ schedules: { settled: null, cancelled: [], added } }));
  const holder = newId();
  await watched.claim(holder, ['test.Remind'], 10);
  await watched.retryLater(holder, id, 0);
  expect((await watched.claim(holder, ['test.Remind'], 10)).commands).toHaveLength(1);
  expect(measured).toEqual([
    ['svc.schedule.lateness', expect.closeTo(90, -1) as number, { 'svc.command.type': 'test.Remind' }],
  ]);
});
