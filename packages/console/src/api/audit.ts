import type { Service } from '@svc/core';
import { auditGate, readAuditQuery } from '@svc/core/hosting';
import { Type } from 'typebox';
import { AuditExportQuery, AuditPage, AuditQuery, NoParameters } from '../contract/index.js';
import { exportAudit, exportFormats } from './audit-export.js';
import { Download, currentContext } from './download.js';
import { operation } from './operation.js';
import { entryOf } from './shown.js';

const audit = operation({
  method: 'GET',
  path: '/audit',
  summary: 'Who did what, when and why: a page of audit records',
  right: 'read',
  params: NoParameters,
  query: AuditQuery,
  body: null,
  response: AuditPage,
  answer: async ({ service, query, signal }) => {
    const asked = readAuditQuery(conditionsOf(query), signal);
    await recordAuditView(service, asked.resource);
    const { entries, next } = await service.audit.query(asked);
    return { entries: entries.map(entryOf), next };
  },
});

const auditExport = operation({
  method: 'GET',
  path: '/audit/export',
  summary: 'The audit records of a query as a file',
  right: 'read',
  params: NoParameters,
  query: AuditExportQuery,
  body: null,
  response: Type.String(),
  files: Object.values(exportFormats).map(({ contentType }) => contentType),
  answer: async ({ service, query: { format = 'csv', ...query }, signal }) => {
    const asked = readAuditQuery(conditionsOf(query), signal);
    await recordAuditView(service, asked.resource, 'audit-export');
    // The first page is read before the response begins, so that its errors are problems.
    const inContext = currentContext();
    const first = await service.audit.query({ ...asked, limit: 100 });
    const texts = exportAudit(format, first, (after) =>
      inContext(() => service.audit.query({ ...asked, limit: 100, after })),
    );
    return new Download(exportFormats[format].contentType, `audit.${format}`, texts);
  },
});

/** The conditions without the database, in which the operation already runs. */
function conditionsOf(query: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(query).filter(([name]) => name !== 'database'));
}

/** Emits that the caller reads the audit, as the audit queries of a service do. Repetitions are counted. */
export async function recordAuditView({ access }: Service, resource: unknown, resourceType = 'audit'): Promise<void> {
  const { requires, resourceId, filter } = auditGate(resource);
  const { actor } = access;
  if (actor === null) return;
  const about = {
    resourceType,
    ...(resourceId !== undefined && { resourceId }),
    ...(filter !== undefined && { filter }),
  };
  await access.recordGrant(actor, { requires: requires!, ...about });
}

export const auditOperations = [audit, auditExport];
