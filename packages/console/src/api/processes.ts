import type { InstanceStep } from '@svc/core/hosting';
import type { ProcessInstanceRecord } from '@svc/core/storage';
import {
  NoParameters,
  ProcessesQuery,
  ProcessHistory,
  ProcessList,
  ProcessPath,
  ProcessQuery,
  type ProcessInstance,
  type ProcessStep,
} from '../contract/index.js';
import { operation, type Operation } from './operation.js';
import { countedPageOf, pageOf } from './page.js';
import { time } from './shown-operation.js';

const listProcesses = operation({
  method: 'GET',
  path: '/processes',
  summary: 'A page of the instances of processes, in the order of their start',
  right: 'read',
  params: NoParameters,
  query: ProcessesQuery,
  body: null,
  response: ProcessList,
  answer: async ({ service, query }) => {
    const page = { ...pageOf(query), isOpen: query.open ?? false };
    const { items, next } = await service.administration.processes.list(page);
    return { instances: items.map(shownInstance), next };
  },
});

const findProcess = operation({
  method: 'GET',
  path: '/processes/:process/:key',
  summary: 'A part of the history of an instance of a process',
  right: 'read',
  params: ProcessPath,
  query: ProcessQuery,
  body: null,
  response: ProcessHistory,
  answer: async ({ service, params, query }) => {
    const key = { ...params, tenant: query.tenant ?? '' };
    const { streamId, items, next } = await service.administration.processes.history(key, countedPageOf(query));
    return { ...key, streamId, steps: items.map(shownStep), next: next === null ? null : String(next) };
  },
});

export const processOperations: readonly Operation[] = [listProcesses, findProcess];

function shownInstance(instance: ProcessInstanceRecord): ProcessInstance {
  const { process, key, tenant, streamId, isCompleted, events, ignored, startedAt, changedAt } = instance;
  const state = isCompleted ? 'completed' : 'open';
  return {
    process,
    key,
    tenant,
    streamId,
    state,
    events,
    ignored,
    startedAt: time(startedAt),
    lastEventAt: time(changedAt),
  };
}

function shownStep({ kind, at, correlationId, event, actions }: InstanceStep): ProcessStep {
  return { kind, at: time(at), correlationId, event: event === null ? null : causeOf(event), actions: [...actions] };
}

function causeOf({ id, type, streamId, timestamp, causationId }: NonNullable<InstanceStep['event']>) {
  return { id, type, streamId, at: time(timestamp), causationId };
}
