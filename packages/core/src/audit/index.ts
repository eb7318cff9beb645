export { Audit, type AuditPage } from './audit.js';
export type { AuditEntry } from './audit-entry.js';
export { auditPageBounds, type AuditQuery } from './audit-query.js';
export type { AuditNode } from './audit-trace.js';
export { auditGate, readAuditQuery, type ServedAudit } from './served-audit.js';
