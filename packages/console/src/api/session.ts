import { libraryVersion, isGranted } from '@svc/core/hosting';
import { currentSecurityContext, permission } from '@svc/core';
import { NoParameters, Session } from '../contract/index.js';
import { operation } from './operation.js';

export const session = operation({
  method: 'GET',
  path: '/session',
  summary: 'Who the caller is, and what the console shows to it',
  right: 'read',
  params: NoParameters,
  query: NoParameters,
  body: null,
  response: Session,
  answer: async ({ service, title, traceUrl }) => {
    const context = currentSecurityContext();
    const tenant = await service.access.authorizeSystemRead();
    return {
      title,
      user: { id: context?.scope.userId ?? null, name: context?.userName ?? null },
      tenant,
      isOperator: tenant === null,
      mayAct: context === null || isGranted(context.permissions, permission('system:write')),
      isOpen: service.access.isOpen,
      databases: tenant === null ? [...service.administration.databases] : [],
      version: null,
      traceUrl,
      svcVersion: libraryVersion,
    };
  },
});
