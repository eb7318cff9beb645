import type { EnvelopeScope } from './envelope.js';

/**
 * In the metadata of an event that the host appended to a stream of another tenant than the one in the event's scope: the tenant of the
 * stream, '' for none.
 */
export const streamTenantKey = 'svcTenant';

/** What says whose an event is. */
export interface TenantBearer {
  readonly scope: EnvelopeScope | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The tenant that an event counts for, which is that of its stream; '' for none. */
export function tenantOfEvent({ scope, metadata }: TenantBearer): string {
  const ofStream = metadata[streamTenantKey];
  return typeof ofStream === 'string' ? ofStream : (scope?.['tenantId'] ?? '');
}
