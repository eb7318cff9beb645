/** Records of the audit as rows of a table and as JSON. */
import type { AuditEntry, AuditNode } from '@svc/core/hosting';
import { encryptedPrefix } from '@svc/core/hosting';

/** Printed instead of personal data if no key vault is given. */
export const encrypted = '[encrypted]';
const longestCell = 60;

export const heading = ['time', 'user', 'tenant', 'kind', 'type', 'result', 'level', 'about', 'correlation', 'reason'];

/** The entry without the ciphertext of personal data. */
export function readableEntry(entry: AuditEntry): AuditEntry {
  const isEncrypted = entry.reason?.startsWith(encryptedPrefix) === true;
  return isEncrypted ? { ...entry, reason: encrypted } : entry;
}

export function rowOf(entry: AuditEntry, indent = ''): string[] {
  const { at, tenantId, kind, type, result, level, correlationId, reason } = readableEntry(entry);
  const cells = [
    userOf(entry),
    tenantId,
    kind,
    `${indent}${type}`,
    result,
    level,
    aboutOf(entry),
    correlationId,
    reason,
  ];
  return [at.toISOString(), ...cells.map((cell) => shortened(cell ?? '-'))];
}

/** The rows of a tree: what a message caused is indented below it. */
export function rowsOfTree({ entry, caused }: AuditNode, indent = ''): string[][] {
  return [rowOf(entry, indent), ...caused.flatMap((node) => rowsOfTree(node, `${indent}  `))];
}

/** A tree as JSON. */
export function readableTree({ entry, caused }: AuditNode): AuditNode {
  return { entry: readableEntry(entry), caused: caused.map(readableTree) };
}

function userOf({ userId, userName }: AuditEntry): string | null {
  return userName === null || userName === userId ? userId : `${userId ?? '-'} (${userName})`;
}

function aboutOf({ about, streamId, position, resourceType, resourceId }: AuditEntry): string | null {
  const stream = streamId === null || position === null ? streamId : `${streamId}@${position}`;
  const parts = [about, stream, resourceType, resourceId].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(' ');
}

/** JSON has the whole text. */
function shortened(text: string): string {
  return text.length <= longestCell ? text : `${text.slice(0, longestCell - 1)}…`;
}
