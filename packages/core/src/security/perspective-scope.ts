import { ServiceError } from '../errors/index.js';
import type { EnvelopeScope } from '../messages/index.js';

/** The owner of data, or the identity of a caller: tenant, user, organization, customer, principals. */
export interface PerspectiveScope {
  readonly tenantId?: string;
  readonly userId?: string;
  readonly organizationId?: string;
  readonly customerId?: string;
  /** Users and groups that may see the data in addition to its owner. Names must not contain a comma. */
  readonly allowedPrincipals?: readonly string[];
  /** Values of the application. Their names must not be in `reservedScopeNames`. */
  readonly extensions?: Readonly<Record<string, string>>;
}

const ownNames = new Set(['tenantId', 'userId', 'organizationId', 'customerId'] as const);

function isOwnName(name: string): name is typeof ownNames extends Set<infer TName> ? TName : never {
  return (ownNames as ReadonlySet<string>).has(name);
}

/** The name in an envelope's scope for the reactions that caused the message, each caused by the previous one. */
export const reactionsName = 'svcReactions';

/** Values about the caller that envelopes contain in addition to the scope. */
const callerNames: ReadonlySet<string> = new Set([
  'userName',
  'roles',
  'permissions',
  'source',
  'homeTenantId',
  'origin',
  reactionsName,
]);

/** The names in an envelope's scope that svc uses. An extension with such a name would change the caller. */
export const reservedScopeNames: ReadonlySet<string> = new Set([...ownNames, ...callerNames, 'allowedPrincipals']);

/** Converts the values of an envelope to a scope: the inverse of `scopeValues`. */
export function scopeOfValues(values: EnvelopeScope): PerspectiveScope {
  const scope: { -readonly [K in keyof PerspectiveScope]: PerspectiveScope[K] } = {};
  let extensions: Record<string, string> | undefined;
  for (const name in values) {
    const value = values[name];
    if (value === null || value === undefined || callerNames.has(name)) continue;
    if (name === 'allowedPrincipals') scope.allowedPrincipals = value.split(',');
    else if (isOwnName(name)) scope[name] = value;
    else (extensions ??= {})[name] = value;
  }
  if (extensions !== undefined) scope.extensions = extensions;
  return scope;
}

/** The names of the reactions that caused a message with this scope, each caused by the previous one. */
export function reactionsIn(scope: EnvelopeScope | null): readonly string[] {
  const names = scope?.[reactionsName];
  return typeof names === 'string' ? names.split(',') : [];
}

/**
 * The scope of a command that runs later. Each reaction that caused it is named once: a chain with a pause between its links is not a runaway
 * loop, so that it does not become too long.
 */
export function scopeForLater(scope: EnvelopeScope | null): EnvelopeScope | null {
  const names = reactionsIn(scope);
  const once = [...new Set(names)];
  return once.length === names.length ? scope : { ...scope, [reactionsName]: once.join(',') };
}

/** Converts a scope to the values that envelopes and audit records contain; lists are joined by commas. */
export function scopeValues(scope: PerspectiveScope): EnvelopeScope {
  requireValidScope(scope);
  const { allowedPrincipals, extensions, ...values } = scope;
  const principals = allowedPrincipals === undefined ? {} : { allowedPrincipals: allowedPrincipals.join(',') };
  return { ...extensions, ...values, ...principals };
}

/** Throws if a scope has an extension with a reserved name or a principal with a comma: both would be read as something else. */
export function requireValidScope({ allowedPrincipals, extensions }: PerspectiveScope): void {
  const reserved = Object.keys(extensions ?? {}).find((name) => reservedScopeNames.has(name));
  if (reserved !== undefined) {
    throw new ServiceError(
      'SVC_INVALID_SCOPE',
      `The caller's scope has the extension "${reserved}", which is a reserved name. Rename the extension.`,
    );
  }
  if (allowedPrincipals?.some((principal) => principal.includes(',')) === true) {
    throw new ServiceError(
      'SVC_INVALID_SCOPE',
      "The caller's scope has a principal whose name contains a comma, which separates principals. Rename the principal.",
    );
  }
}
