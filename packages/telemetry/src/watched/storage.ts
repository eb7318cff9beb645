import { context, ROOT_CONTEXT, SpanKind } from '@opentelemetry/api';
import { around } from '@svc/core/hosting';
import { eventAuditedType, type CommitRecord, type Storage, type StorageSystemDelivery } from '@svc/core/storage';
import { attribute } from '../attributes.js';
import { metric } from '../metrics/metric.js';
import { observe, type Ending } from '../observe.js';
import type { Outcome } from '../outcome.js';
import { watchedSchedule } from './schedule.js';
import { endSpan, inSpan, secondsSince } from '../spans.js';
import type { Watch } from '../watch.js';

/** `svc.append`: the changes of one unit of work, until they are committed. */
export function watchedStorage(inner: Storage, { tracer, metrics }: Watch): Storage {
  const system = inner.systemName === undefined ? {} : { [attribute.dbSystem]: inner.systemName };
  return around(inner, {
    commit(record, signal) {
      const started = performance.now();
      return inSpan(
        tracer,
        {
          name: 'svc.append',
          kind: SpanKind.CLIENT,
          attributes: { ...system, ...attributesOf(record) },
          // Deliveries belong to the host, whichever request woke the worker.
          parent: record.delivered === null ? context.active() : ROOT_CONTEXT,
        },
        () => inner.commit(record, signal),
        (failure, _span, outcome) => measure(record, failure, outcome, secondsSince(started)),
      );
    },
    ...(inner.systemDelivery !== undefined && { systemDelivery: watchedDelivery(inner.systemDelivery) }),
    ...(inner.schedule !== undefined && { schedule: watchedSchedule(inner.schedule, metrics) }),
  });

  function watchedDelivery(delivery: StorageSystemDelivery): StorageSystemDelivery {
    return around(delivery, { deliver: (limit) => deliver(delivery, limit) });
  }

  /** A commit of the delivered messages. An attempt that finds nothing is not reported. */
  async function deliver(delivery: StorageSystemDelivery, limit: number): Promise<ReadonlyMap<string, number>> {
    const started = performance.now();
    const startTime = Date.now();
    return await observe(
      () => delivery.deliver(limit),
      (failure, counts = new Map()) => {
        const delivered = [...counts.values()].reduce((sum, count) => sum + count, 0);
        if (failure === null && delivered === 0) return;
        const nothing = { events: [], outgoing: [], delivered: null, received: [] };
        const attributes = {
          ...system,
          ...attributesOf(nothing),
          [attribute.events]: delivered,
          [attribute.delivered]: delivered,
        };
        const span = tracer.startSpan('svc.append', { kind: SpanKind.CLIENT, attributes, startTime }, ROOT_CONTEXT);
        metrics.record(metric.appendDuration, secondsSince(started), { [attribute.outcome]: endSpan(span, failure) });
        countEvents(counts);
      },
    );
  }

  function measure(record: CommitRecord, failure: Ending, outcome: Outcome, seconds: number): void {
    metrics.record(metric.appendDuration, seconds, { [attribute.outcome]: outcome });
    if (failure === null) {
      countEvents(countsOf(record));
      for (const { direction, cause } of record.deadLetters ?? []) {
        metrics.record(metric.deadLetters, 1, { [attribute.direction]: direction, [attribute.cause]: cause });
      }
    } else if (isConcurrencyConflict(failure.error)) {
      metrics.record(metric.conflicts, 1, {});
    }
  }

  function countEvents(counts: ReadonlyMap<string, number>): void {
    for (const [type, count] of counts) {
      metrics.record(metric.eventsAppended, count, { [attribute.eventType]: type });
    }
  }
}

function attributesOf(record: CommitRecord): Record<string, string | number> {
  const { events, outgoing, delivered, received, deadLetters } = record;
  const correlation = correlationOf(record);
  return {
    ...(correlation !== null && { [attribute.correlation]: correlation }),
    [attribute.dbOperation]: 'append',
    [attribute.events]: events.length,
    [attribute.outgoing]: outgoing.length,
    [attribute.delivered]: delivered?.ids.length ?? 0,
    [attribute.received]: received.length,
    [attribute.deadLetters]: deadLetters?.length ?? 0,
  };
}

/** The correlation id of all events that a commit appends; null: there are none, or they differ. It leads from a trace to the audit. */
function correlationOf({ events }: CommitRecord): string | null {
  const correlation = events[0]?.correlationId ?? null;
  return events.every(({ correlationId }) => correlationId === correlation) ? correlation : null;
}

/** The events that a commit appends, including system events that need not wait in the outbox. */
function countsOf({ events, outgoing, systemAtOnce }: CommitRecord): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (type: string): void => void counts.set(type, (counts.get(type) ?? 0) + 1);
  for (const { type } of events) count(type);
  if (systemAtOnce === true) {
    for (const { lane, message } of outgoing) if (lane === 'system') count(message?.type ?? eventAuditedType);
  }
  return counts;
}

function isConcurrencyConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SVC_CONCURRENCY_CONFLICT';
}
