import type { Uuid } from '@svc/core';
import type { AuditEntry, AuditPage } from '@svc/core/hosting';
import { expect, it } from 'vitest';
import { exportAudit, mostExported } from './audit-export.js';

const id = '0190a3a4-7d5c-7cc2-8a9b-3f1f6a2b4c5d' as Uuid;

const entry: AuditEntry = {
  id,
  at: new Date('2026-01-02T03:04:05Z'),
  kind: 'event',
  type: 'orders.OrderPlaced',
  messageId: id,
  streamId: id,
  position: 0,
  about: null,
  resourceType: null,
  resourceId: null,
  userId: 'ann',
  userName: null,
  tenantId: 'north',
  homeTenantId: null,
  roles: [],
  level: null,
  reason: null,
  auditReason: null,
  result: 'succeeded',
  responseType: null,
  correlationId: id,
  cause: null,
};

/** A log that never ends, in pages of this size. */
function pages(size: number): { first: AuditPage; readPage(): Promise<AuditPage>; readonly reads: number } {
  const page: AuditPage = { entries: Array.from({ length: size }, () => entry), next: 'more' };
  let reads = 0;
  return {
    first: page,
    readPage: () => {
      reads++;
      return Promise.resolve(page);
    },
    get reads() {
      return reads;
    },
  };
}

it('ends a file after 100,000 records, reads no more, and says in its last line how to get the others', async () => {
  expect(mostExported).toBe(100_000);
  const log = pages(20_000);
  let text = '';
  for await (const part of exportAudit('ndjson', log.first, log.readPage)) text += part;
  const lines = text.trimEnd().split('\n');
  expect(lines).toHaveLength(mostExported + 1);
  expect(log.reads).toBe(4);
  expect(JSON.parse(lines.at(-1)!)).toEqual({
    isComplete: false,
    detail:
      'The file ends after 100000 records. Export the others with a time range that begins or ends at 2026-01-02T03:04:05.000Z.',
  });
});
