import type { Service } from '@svc/core';
import {
  auditGate,
  auditPageBounds,
  isGranted,
  readAuditQuery,
  runAs,
  type AuditEntry,
  type AuditPage,
} from '@svc/core/hosting';
import { fieldFailure } from './field-failure.js';
import { numberOf } from './query-arguments.js';
import type { RequestContext } from './request-context.js';
import type { ResolverOf } from './schema/index.js';

/** The resolver of the audit query. It returns the same records as REST, to the same callers. */
export function auditResolver<TServices extends object>({ access, audit }: Service<TServices>): ResolverOf {
  const answer = async (args: Readonly<Record<string, unknown>>, request: RequestContext): Promise<unknown> => {
    const gate = { ...auditGate(args['resource']), within: request };
    const caller = access.isOpen ? null : await access.admit(request.caller, gate);
    request.countModels(numberOf(args['limit']) ?? auditPageBounds.usual);
    const read = (): Promise<AuditPage> => audit.query(readAuditQuery(args, request.http.signal));
    const { entries, next } = await (caller === null ? read() : runAs(caller, read));
    return { entries: entries.map(plainEntry), next };
  };
  return () =>
    async (_root, args, { request }) => {
      const { caller, denials } = request;
      const { requires } = auditGate(undefined);
      const isLikelyDenied = caller !== null && !isGranted(caller.permissions, requires!);
      const run = (): Promise<unknown> => answer(args, request);
      try {
        return await (isLikelyDenied ? denials.countingInTurn(run) : denials.counting(run));
      } catch (error) {
        throw fieldFailure(error, 'query', request);
      }
    };
}

function plainEntry(entry: AuditEntry): object {
  return { ...entry, at: entry.at.toISOString() };
}
