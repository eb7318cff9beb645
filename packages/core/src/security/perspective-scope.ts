import { ServiceError } from '../errors/index.js';
import type { EnvelopeScope } from '../messages/index.js';

/** Whose data something is, or who acts. */
export interface PerspectiveScope {
  readonly tenantId?: string;
  readonly userId?: string;
  readonly organizationId?: string;
  readonly customerId?: string;
  /** Users and groups that may see the data besides its owner. A name has no comma. */
  readonly allowedPrincipals?: readonly string[];
  /** Values of the application's own. Their names must not be those that svc uses: see `reservedScopeNames`. */
  readonly extensions?: Readonly<Record<string, string>>;
}

const ownNames: ReadonlySet<string> = new Set(['tenantId', 'userId', 'organizationId', 'customerId']);

/** What envelopes carry about the caller besides the scope. */
const callerNames: ReadonlySet<string> = new Set([
  'userName',
  'roles',
  'permissions',
  'source',
  'homeTenantId',
  'origin',
]);

/** The names in an envelope's scope that svc gives a meaning to. An extension of one of these names would change who acts. */
export const reservedScopeNames: ReadonlySet<string> = new Set([...ownNames, ...callerNames, 'allowedPrincipals']);

/** The scope that an envelope carries: the reverse of `scopeValues`. */
export function scopeOfValues(values: EnvelopeScope): PerspectiveScope {
  const scope: Record<string, string> = {};
  const extensions: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === null || callerNames.has(name) || name === 'allowedPrincipals') continue;
    (ownNames.has(name) ? scope : extensions)[name] = value;
  }
  const principals = values['allowedPrincipals'];
  return {
    ...scope,
    ...(typeof principals === 'string' && { allowedPrincipals: principals.split(',') }),
    ...(Object.keys(extensions).length > 0 && { extensions }),
  };
}

/** All values of a scope by name, as envelopes and audit records carry them; lists are joined by commas. */
export function scopeValues(scope: PerspectiveScope): EnvelopeScope {
  requireValidScope(scope);
  const { allowedPrincipals, extensions, ...values } = scope;
  const principals = allowedPrincipals === undefined ? {} : { allowedPrincipals: allowedPrincipals.join(',') };
  return { ...extensions, ...values, ...principals };
}

/** Throws for a scope that would be read as another one: an extension with a reserved name, or a principal with a comma in it. */
export function requireValidScope({ allowedPrincipals, extensions }: PerspectiveScope): void {
  const reserved = Object.keys(extensions ?? {}).find((name) => reservedScopeNames.has(name));
  if (reserved !== undefined) {
    throw new ServiceError(
      'SVC_INVALID_SCOPE',
      `The scope of a caller has the extension "${reserved}", a name that svc uses itself. Give the extension another name.`,
    );
  }
  if (allowedPrincipals?.some((principal) => principal.includes(',')) === true) {
    throw new ServiceError(
      'SVC_INVALID_SCOPE',
      'The scope of a caller has a principal with a comma in its name. Principals are stored as a list separated by commas.',
    );
  }
}
