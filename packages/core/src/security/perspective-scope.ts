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

/** What envelopes say of whoever acts beside their scope. */
const notOfScope: ReadonlySet<string> = new Set(['userName', 'roles', 'source']);

/** The scope that an envelope carries: what `scopeValues` made of one. */
export function scopeOfValues(values: EnvelopeScope): PerspectiveScope {
  const scope: Record<string, string> = {};
  const extensions: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === null || notOfScope.has(name) || name === 'allowedPrincipals') continue;
    (ownNames.has(name) ? scope : extensions)[name] = value;
  }
  const principals = values['allowedPrincipals'];
  return {
    ...scope,
    ...(typeof principals === 'string' && { allowedPrincipals: principals.split(',') }),
    ...(Object.keys(extensions).length > 0 && { extensions }),
  };
}

const ownNames: ReadonlySet<string> = new Set(['tenantId', 'userId', 'organizationId', 'customerId']);

/** All values of a scope by name, as envelopes and audit records carry them; lists are joined by commas. */
export function scopeValues(scope: PerspectiveScope): EnvelopeScope {
  const { allowedPrincipals, extensions, ...values } = scope;
  const principals = allowedPrincipals === undefined ? {} : { allowedPrincipals: allowedPrincipals.join(',') };
  return { ...extensions, ...values, ...principals };
}
