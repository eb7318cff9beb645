import type { Uuid } from '../json/index.js';
import type { AuditEntry } from './audit-entry.js';
import { auditPageBounds, type AuditQuery } from './audit-query.js';

/** How many entries of a correlation a trace has. */
const mostTraced = 1_000;

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

/** Reads the entries of one correlation, page by page, and builds their tree. */
export async function readTrace(
  readPage: (query: AuditQuery) => Promise<{ readonly entries: readonly AuditEntry[]; readonly next: string | null }>,
  correlation: Uuid,
  signal: AbortSignal | undefined,
): Promise<AuditTrace> {
  const entries: AuditEntry[] = [];
  let after: string | undefined;
  do {
    const page = await readPage({ correlation, first: 'oldest', limit: auditPageBounds.most, after, signal });
    entries.push(...page.entries);
    after = page.next ?? undefined;
  } while (after !== undefined && entries.length < mostTraced);
  return traceOf(entries.slice(0, mostTraced), after === undefined && entries.length <= mostTraced);
}

/** Builds the tree of the entries of one correlation. */
function traceOf(entries: readonly AuditEntry[], isComplete: boolean): AuditTrace {
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
