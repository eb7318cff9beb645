import { around } from '@svc/core/hosting';
import type { ScheduleStorage } from '@svc/core/storage';
import { attribute } from '../attributes.js';
import { metric, type MetricSink } from '../metrics/metric.js';

/** Measures how late scheduled commands are claimed. Retries are late on purpose. */
export function watchedSchedule(inner: ScheduleStorage, metrics: MetricSink): ScheduleStorage {
  return around(inner, {
    async claim(holder, types, limit) {
      const claimed = await inner.claim(holder, types, limit);
      for (const { message, dueAt, attempts } of claimed.commands) {
        if (attempts > 0) continue;
        const seconds = Math.max(0, claimed.now - dueAt) / 1_000;
        metrics.record(metric.scheduleLateness, seconds, { [attribute.commandType]: message.type });
      }
      return claimed;
    },
  });
}
