import type { AuditPage } from '@svc/core/hosting';
import type { AuditEntry } from '../contract/index.js';
import { entryOf } from './shown.js';

/** How many records a file has. */
export const mostExported = 100_000;

type Format = 'csv' | 'ndjson';

const columns = [
  'at',
  'kind',
  'type',
  'result',
  'userId',
  'userName',
  'tenantId',
  'homeTenantId',
  'roles',
  'level',
  'reason',
  'auditReason',
  'messageId',
  'streamId',
  'position',
  'about',
  'resourceType',
  'resourceId',
  'responseType',
  'correlationId',
  'cause',
  'id',
] as const satisfies readonly (keyof AuditEntry)[];

/** How each format is written. `ended`: the last line of a file that has not all records. */
export const exportFormats = {
  csv: {
    contentType: 'text/csv; charset=utf-8',
    heading: `${columns.join(',')}\r\n`,
    line: (entry: AuditEntry) => `${columns.map((name) => cell(valueOf(entry, name))).join(',')}\r\n`,
    ended: (text: string) => `${cell(text)}\r\n`,
  },
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    heading: '',
    line: (entry: AuditEntry) => `${JSON.stringify(entry)}\n`,
    ended: (text: string) => `${JSON.stringify({ isComplete: false, detail: text })}\n`,
  },
} as const;

/** The texts of a file with the records of a query, page by page. */
export async function* exportAudit(
  format: Format,
  first: AuditPage,
  readPage: (after: string) => Promise<AuditPage>,
): AsyncGenerator<string> {
  const { heading, line, ended } = exportFormats[format];
  let page = first;
  let count = 0;
  if (heading !== '') yield heading;
  for (;;) {
    if (page.entries.length > 0) yield page.entries.map((entry) => line(entryOf(entry))).join('');
    count += page.entries.length;
    if (page.next === null) return;
    if (count >= mostExported) break;
    page = await readPage(page.next);
  }
  const last = page.entries.at(-1)?.at.toISOString() ?? '';
  yield ended(
    `The file ends after ${count} records. Export the others with a time range that begins or ends at ${last}.`,
  );
}

function valueOf(entry: AuditEntry, name: (typeof columns)[number]): string {
  const value = entry[name];
  if (value === null) return '';
  if (Array.isArray(value)) return value.join(' ');
  return typeof value === 'object' ? `${value.type ?? ''} ${value.id}`.trim() : String(value);
}

/** Spreadsheets execute cells that begin like a formula, so these begin with an apostrophe. */
function cell(value: string): string {
  const plain = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
