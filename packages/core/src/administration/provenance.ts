import { claimedOriginKey, originKey } from '../messages/index.js';

/** The host that has sent an event, and the trace in which it was appended. */
export interface Provenance {
  /** Null: it is an event of this service. */
  readonly origin: { readonly host: string; readonly isProven: boolean } | null;
  readonly traceId: string | null;
}

/** Reads where an event comes from in its metadata. */
export function provenanceOf(metadata: Readonly<Record<string, unknown>>): Provenance {
  const [proven, claimed, parent] = [metadata[originKey], metadata[claimedOriginKey], metadata['traceparent']];
  const traceId = typeof parent === 'string' ? parent.split('-')[1] : undefined;
  return {
    origin: Object.hasOwn(metadata, originKey)
      ? { host: textOf(proven) ?? textOf(claimed) ?? 'unknown', isProven: typeof proven === 'string' }
      : null,
    traceId: traceId?.length === 32 ? traceId : null,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
