import type { EnvelopeScope } from './envelope.js';

/**
 * Metadata key of an event that the host appended to a stream whose tenant is not the one in the event's scope: the tenant of the stream,
 * '' for none.
 */
export const streamTenantKey = 'svcTenant';

/** The parts of an event that determine its tenant. */
export interface TenantBearer {
  readonly scope: EnvelopeScope | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The tenant of an event, which is the tenant of its stream; '' for none. */
export function tenantOfEvent({ scope, metadata }: TenantBearer): string {
  const ofStream = metadata[streamTenantKey];
  return typeof ofStream === 'string' ? ofStream : (scope?.['tenantId'] ?? '');
}
