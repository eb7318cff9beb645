import type { Uuid } from '@svc/core';
import { IdPath, Stream, StreamModels, StreamModelsQuery, StreamQuery } from '../contract/index.js';
import { operation } from './operation.js';
import { modelOf, optionalDocument, originOf, tenantOf, timeOf } from './shown.js';

const stream = operation({
  method: 'GET',
  path: '/streams/:id',
  summary: 'A stream: a page of its events without their bodies, its snapshots and its rewinds',
  right: 'read',
  params: IdPath,
  query: StreamQuery,
  body: null,
  response: Stream,
  answer: async ({ service, params, query: { first, after, limit } }) => {
    const id = params.id as Uuid;
    const { tenant, length, events, next, snapshots, rewinds } = await service.administration.streams.find(id, {
      first,
      after,
      limit,
    });
    return {
      id,
      tenantId: tenantOf(tenant),
      length,
      next,
      snapshots: [...snapshots],
      events: events.map((event) => ({
        id: event.id,
        type: event.type,
        position: event.position,
        at: new Date(event.timestamp).toISOString(),
        userId: event.scope?.['userId'] ?? null,
        userName: event.scope?.['userName'] ?? null,
        correlationId: event.correlationId,
        causationId: event.causationId,
        origin: originOf(event.metadata),
        bytes: Buffer.byteLength(event.body),
      })),
      rewinds: rewinds.map(({ startedAt, completedAt, perspectives, triggerEventId, eventsReplayed }) => ({
        startedAt: startedAt.toISOString(),
        completedAt: timeOf(completedAt),
        perspectives: [...perspectives],
        triggerEventId,
        eventsReplayed,
      })),
    };
  },
});

const streamModels = operation({
  method: 'GET',
  path: '/streams/:id/models',
  summary: 'The models of a stream at one of its positions. The view is recorded.',
  right: 'read',
  params: IdPath,
  query: StreamModelsQuery,
  body: null,
  response: StreamModels,
  answer: async ({ service, params, query: { position }, signal }) => {
    const { at, models, isComplete } = await service.administration.streams.models(params.id as Uuid, position, signal);
    return {
      position: at.position,
      eventId: at.id,
      at: new Date(at.timestamp).toISOString(),
      models: models.map((model) => Object.assign(modelOf(model), { model: optionalDocument(model.after) })),
      isComplete,
    };
  },
});

export const streamOperations = [stream, streamModels];
