import type { Uuid } from '@svc/core';
import { isRecurringKey } from '@svc/core/hosting';
import type { ScheduledCommand as ScheduledRecord } from '@svc/core/storage';
import {
  ChangedCommand,
  DatabaseQuery,
  IdPath,
  NoParameters,
  ReasonBody,
  ScheduleList,
  ScheduleQuery,
  type ScheduledCommand,
} from '../contract/index.js';
import { operation, type Operation } from './operation.js';
import { pageOf } from './page.js';
import { time } from './shown-operation.js';

const listSchedule = operation({
  method: 'GET',
  path: '/schedule',
  summary: 'A page of the scheduled commands, in the order of their due times',
  right: 'read',
  params: NoParameters,
  query: ScheduleQuery,
  body: null,
  response: ScheduleList,
  answer: async ({ service, query }) => {
    const { tenant } = query;
    const page = { ...pageOf(query), ...(tenant !== undefined && { tenant }) };
    const { items, next } = await service.administration.schedule.list(page);
    return { commands: items.map(shownCommand), next };
  },
});

const cancelScheduled = operation({
  method: 'POST',
  path: '/schedule/:id/cancel',
  summary: 'Removes a scheduled command',
  right: 'write',
  params: IdPath,
  query: DatabaseQuery,
  body: ReasonBody,
  response: ChangedCommand,
  answer: async ({ service, params, body }) => {
    const { message } = await service.administration.schedule.cancel(params.id as Uuid, body.reason);
    return { id: message.id, type: message.type, state: 'cancelled' as const };
  },
});

const runScheduled = operation({
  method: 'POST',
  path: '/schedule/:id/run',
  summary: 'Makes a scheduled command due now',
  right: 'write',
  params: IdPath,
  query: DatabaseQuery,
  body: ReasonBody,
  response: ChangedCommand,
  answer: async ({ service, params, body }) => {
    const { message } = await service.administration.schedule.run(params.id as Uuid, body.reason);
    return { id: message.id, type: message.type, state: 'due' as const };
  },
});

export const scheduleOperations: readonly Operation[] = [listSchedule, cancelScheduled, runScheduled];

function shownCommand({ message, dueAt, key, tenant, attempts, isRunning }: ScheduledRecord): ScheduledCommand {
  return {
    id: message.id,
    type: message.type,
    dueAt: time(dueAt),
    key,
    isRecurring: isRecurringKey(key),
    tenant,
    correlationId: message.correlationId,
    attempts,
    state: isRunning ? 'running' : attempts > 0 ? 'retrying' : 'waiting',
  };
}
