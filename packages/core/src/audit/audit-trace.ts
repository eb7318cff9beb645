import type { AuditEntry } from './audit-entry.js';

/** An entry, and what it caused. */
export interface AuditNode {
  readonly entry: AuditEntry;
  readonly caused: readonly AuditNode[];
}

/** What a request caused. */
export interface AuditTrace {
  /** The entries whose causes have no entry: the request itself, and records that have no cause. */
  readonly roots: readonly AuditNode[];
  /** False: it has further entries. */
  readonly isComplete: boolean;
}

interface OpenNode extends AuditNode {
  readonly caused: OpenNode[];
  parent: OpenNode | null;
}

/** Builds the tree of the entries of one correlation. */
export function traceOf(entries: readonly AuditEntry[], isComplete: boolean): AuditTrace {
  const nodes = entries.map((entry): OpenNode => ({ entry, caused: [], parent: null }));
  // A command that failed before it succeeded has two entries; what it caused belongs to the one that succeeded.
  const byMessage = new Map<string | null, OpenNode>();
  for (const node of nodes) {
    const { messageId, kind } = node.entry;
    if (messageId !== null && (kind === 'event' || kind === 'command')) byMessage.set(messageId, node);
  }
  const roots: OpenNode[] = [];
  for (const node of nodes) {
    const cause = byMessage.get(node.entry.cause?.id ?? null);
    if (cause === undefined || isBelow(cause, node)) roots.push(node);
    else {
      node.parent = cause;
      cause.caused.push(node);
    }
  }
  return { roots: roots.map(plain), isComplete };
}

/** Ids come from messages, and could form a circle. */
function isBelow(node: OpenNode, other: OpenNode): boolean {
  for (let next: OpenNode | null = node; next !== null; next = next.parent) if (next === other) return true;
  return false;
}

function plain({ entry, caused }: OpenNode): AuditNode {
  return { entry, caused: caused.map(plain) };
}
