import type { Uuid } from '@svc/core';
import {
  DatabaseQuery,
  IdPath,
  NoParameters,
  OperationList,
  ReasonBody,
  RequestedOperation,
} from '../contract/index.js';
import { operation, type Operation } from './operation.js';
import { shownOperation } from './shown-operation.js';

const listOperations = operation({
  method: 'GET',
  path: '/operations',
  summary: 'The operations that operators requested: open ones, and recent ones',
  right: 'read',
  params: NoParameters,
  query: DatabaseQuery,
  body: null,
  response: OperationList,
  answer: async ({ service }) => {
    const { open, recent } = await service.administration.operations.list();
    return { open: open.map(shownOperation), recent: recent.map(shownOperation) };
  },
});

const findOperation = operation({
  method: 'GET',
  path: '/operations/:id',
  summary: 'An operation, with its progress and its result',
  right: 'read',
  params: IdPath,
  query: DatabaseQuery,
  body: null,
  response: RequestedOperation,
  answer: async ({ service, params }) =>
    shownOperation(await service.administration.operations.find(params.id as Uuid)),
});

const cancelOperation = operation({
  method: 'POST',
  path: '/operations/:id/cancel',
  summary: 'Cancels an operation: at once if no host runs it, otherwise its host ends it',
  right: 'write',
  params: IdPath,
  query: DatabaseQuery,
  body: ReasonBody,
  response: RequestedOperation,
  answer: async ({ service, params, body }) =>
    shownOperation(await service.administration.operations.cancel(params.id as Uuid, body.reason)),
});

export const operationOperations: readonly Operation[] = [listOperations, findOperation, cancelOperation];
