import { runAs, type AuditPage, type Service } from '@svc/core';
import { auditGate, readAuditQuery } from '@svc/core/hosting';
import { forbidSniffing, headersOfRequest, requestOf } from '@svc/http';
import type { FastifyInstance } from 'fastify';

/** Adds `GET <route>` for a service with audit queries, and returns its path. */
export function addAuditRoute<TServices extends object>(
  app: FastifyInstance,
  { access, audit, auditQueries }: Service<TServices>,
): readonly string[] {
  const route = auditQueries?.route ?? null;
  if (route === null) return [];
  app.get<{ Querystring: Record<string, unknown> }>(route, async (request, reply): Promise<AuditPage> => {
    const svcRequest = requestOf(request);
    svcRequest.begin();
    try {
      const context = await access.establish(headersOfRequest(request));
      const { resource } = request.query;
      const caller = access.isOpen ? null : await access.admit(context, auditGate(resource));
      const answer = (): Promise<AuditPage> => audit.query(readAuditQuery(request.query, svcRequest.signal));
      const page = await (caller === null ? answer() : runAs(caller, answer));
      reply.type('application/json; charset=utf-8').header('cache-control', 'private, no-store');
      forbidSniffing(reply);
      return page;
    } finally {
      svcRequest.end();
    }
  });
  return [app.prefix + route];
}
