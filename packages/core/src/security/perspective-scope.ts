import type { EnvelopeScope } from '../messages/index.js';

/** Whose data something is, or who acts. */
export interface PerspectiveScope {
  readonly tenantId?: string;
  readonly userId?: string;
  readonly organizationId?: string;
  readonly customerId?: string;
  /** Users and groups that may see the data besides its owner. */
  readonly allowedPrincipals?: readonly string[];
  /** Values of the application's own. */
  readonly extensions?: Readonly<Record<string, string>>;
}

/** All values of a scope by name, as envelopes and audit records carry them; lists are joined by commas. */
export function scopeValues(scope: PerspectiveScope): EnvelopeScope {
  const { allowedPrincipals, extensions, ...values } = scope;
  const principals = allowedPrincipals === undefined ? {} : { allowedPrincipals: allowedPrincipals.join(',') };
  return { ...extensions, ...values, ...principals };
}
