import type { Service } from '@svc/core';
import { auditGate, readAuditQuery, runAs, type AuditPage } from '@svc/core/hosting';
import { forbidSniffing } from '../browser-headers.js';
import { headersOfRequest } from '../credentials.js';
import { queryOf } from '../host.js';
import { requestOf } from '../http-request.js';
import type { Route } from './route.js';

/** `GET <route>` of a service with audit queries. */
export function auditRoutes<TServices extends object>({
  access,
  audit,
  auditQueries,
}: Service<TServices>): readonly Route[] {
  const path = auditQueries?.route ?? null;
  if (path === null) return [];
  const handle: Route['handle'] = async (request, reply) => {
    const svcRequest = requestOf(request);
    const query = queryOf(request);
    svcRequest.begin();
    try {
      const context = await access.establish(headersOfRequest(request));
      const caller = access.isOpen ? null : await access.admit(context, auditGate(query['resource']));
      const answer = (): Promise<AuditPage> => audit.query(readAuditQuery(query, svcRequest.signal));
      const page = await (caller === null ? answer() : runAs(caller, answer));
      reply.header('content-type', 'application/json; charset=utf-8').header('cache-control', 'private, no-store');
      forbidSniffing(reply);
      return JSON.stringify(page);
    } finally {
      svcRequest.end();
    }
  };
  return [{ method: 'GET', path, owner: 'the audit queries', gate: null, readBody: null, handle }];
}
