import type { Storage } from '../storage/index.js';
import type { AuditEntry } from './audit-entry.js';
import { isId } from './audit-query.js';
import type { AuditNode, AuditTrace } from './audit-trace.js';

/** An entry of a chain. */
export interface ChainNode {
  readonly entry: AuditEntry;
  /** The metadata of an event; empty for other entries. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What a request caused, as a graph. */
export interface AuditChain {
  /** The oldest first. */
  readonly nodes: readonly ChainNode[];
  /** From the entry of a cause to that of its consequence, by their ids. */
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  /** False: it has further nodes. */
  readonly isComplete: boolean;
}

/** Adds the metadata of events to a trace. */
export async function chainOf({ roots, isComplete }: AuditTrace, storage: Storage): Promise<AuditChain> {
  const entries: AuditEntry[] = [];
  const edges: { from: string; to: string }[] = [];
  // Not recursive: each message can cause the next one.
  const open: AuditNode[] = [...roots];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { entry, caused } = node;
    entries.push(entry);
    for (const next of caused) edges.push({ from: entry.id, to: next.entry.id });
    open.push(...caused);
  }
  const ids = entries.flatMap(({ kind, messageId }) => (kind === 'event' && isId(messageId) ? [messageId] : []));
  const events = (await storage.audit?.findCauses(ids, [])) ?? [];
  const metadataOf = new Map<string | null, ChainNode['metadata']>(events.map(({ id, metadata }) => [id, metadata]));
  const nodes = entries
    .map((entry) => ({ entry, metadata: metadataOf.get(entry.messageId) ?? {} }))
    .toSorted((a, b) => a.entry.at.getTime() - b.entry.at.getTime());
  return { nodes, edges, isComplete };
}
