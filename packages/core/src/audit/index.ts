export { Audit } from './audit.js';
export type { AuditChain, ChainNode } from './audit-chain.js';
export type { AuditEntry } from './audit-entry.js';
export { AuditFollower } from './audit-follower.js';
export { auditPageBounds, type AuditQuery } from './audit-query.js';
export { AuditReader, requireAuditQuery, type AuditPage, type FoundRecord } from './audit-reader.js';
export type { AuditNode } from './audit-trace.js';
export { auditGate, readAuditQuery, type ServedAudit } from './served-audit.js';
