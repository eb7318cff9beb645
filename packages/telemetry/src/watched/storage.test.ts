import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { InMemoryStorage, newId, type Uuid } from '@svc/core';
import { commitRecord } from '@svc/core/testing';
import { expect, it } from 'vitest';
import { watchedStorage } from './storage.js';

/** The correlation id in the span of a commit that appends an event for each correlation. */
async function correlationInSpan(...correlations: readonly Uuid[]): Promise<unknown> {
  const exported = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exported)] });
  const watch = { tracer: provider.getTracer('test'), metrics: { record: () => {} } };
  const events = correlations.map((correlationId) => ({
    id: newId(),
    streamId: newId(),
    type: 'test.Happened',
    body: '{}',
    timestamp: 0,
    correlationId,
    causationId: null,
    scope: null,
    metadata: {},
    expectedPosition: undefined,
  }));
  await watchedStorage(new InMemoryStorage(), watch).commit(commitRecord({ events }));
  const [span] = exported.getFinishedSpans();
  await provider.shutdown();
  return span!.attributes['svc.correlation.id'];
}

it('adds the correlation id that all events of a commit have', async () => {
  const correlation = newId();
  expect(await correlationInSpan(correlation, correlation)).toBe(correlation);
});

it('adds no correlation id to a commit of several requests', async () => {
  expect(await correlationInSpan(newId(), newId())).toBeUndefined();
});

it('adds no correlation id to a commit without events', async () => {
  expect(await correlationInSpan()).toBeUndefined();
});
