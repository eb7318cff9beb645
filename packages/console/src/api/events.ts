import type { Uuid } from '@svc/core';
import { Type } from 'typebox';
import { DatabaseQuery, EventDetails, EventModels, IdPath } from '../contract/index.js';
import { Download } from './download.js';
import { operation } from './operation.js';
import { documentOf, modelOf, optionalDocument, optionalEntry, tenantOf } from './shown.js';

const event = operation({
  method: 'GET',
  path: '/events/:id',
  summary: 'An event with its body, its actor, its command and its cause. The view is recorded.',
  right: 'read',
  params: IdPath,
  query: DatabaseQuery,
  body: null,
  response: EventDetails,
  answer: async ({ service, params }) => {
    const found = await service.administration.events.find(params.id as Uuid);
    const { record, isSystem, tenant, audit, command, origin, traceId, body } = found;
    const { id, type, streamId, position, timestamp, correlationId, causationId, scope, metadata } = record;
    const { text, personal, erased, secret } = body;
    const ofCommand = command === null ? null : { id: causationId!, kind: 'command' as const, type: command.type };
    return {
      id,
      type,
      streamId,
      position,
      isSystem,
      at: new Date(timestamp).toISOString(),
      tenantId: tenantOf(tenant),
      correlationId,
      causationId,
      scope: { ...scope },
      origin,
      traceId,
      metadata: { ...metadata },
      audit: optionalEntry(audit),
      cause: audit?.cause ?? ofCommand ?? (causationId === null ? null : { id: causationId, kind: null, type: null }),
      command: optionalEntry(command),
      body: { ...documentOf(text), personal: [...personal], erased: [...erased], secret: [...secret] },
    };
  },
});

const eventBody = operation({
  method: 'GET',
  path: '/events/:id/body',
  summary: 'The body of an event as a file. The view is recorded.',
  right: 'read',
  params: IdPath,
  query: DatabaseQuery,
  body: null,
  response: Type.Unknown(),
  files: ['application/json; charset=utf-8'],
  answer: async ({ service, params }) => {
    const text = await service.administration.events.body(params.id as Uuid);
    return new Download('application/json; charset=utf-8', `${params.id}.json`, text);
  },
});

const eventModels = operation({
  method: 'GET',
  path: '/events/:id/models',
  summary: 'The models of an event before and after it, in each perspective that processes it. The view is recorded.',
  right: 'read',
  params: IdPath,
  query: DatabaseQuery,
  body: null,
  response: EventModels,
  answer: async ({ service, params, signal }) => {
    const models = await service.administration.events.models(params.id as Uuid, signal);
    return {
      models: models.map((model) =>
        Object.assign(modelOf(model), { before: optionalDocument(model.before), after: optionalDocument(model.after) }),
      ),
    };
  },
});

export const eventOperations = [event, eventBody, eventModels];
