import { ServiceError } from '../errors/index.js';
import { claimedOriginKey, latestIdKey, originKey } from './event-order.js';
import { schemaVersionKey } from './event-version.js';
import { streamTenantKey } from './tenant.js';

type Metadata = Readonly<Record<string, unknown>>;

/** What only svc says of an event: where it comes from, in which version and whose stream it is stored, and which id it is behind. */
export const reservedMetadataKeys = [
  originKey,
  claimedOriginKey,
  latestIdKey,
  schemaVersionKey,
  streamTenantKey,
] as const;

/** The metadata that a message takes over from another one: they hold for that one alone otherwise. */
export function inheritedMetadata(metadata: Metadata): Metadata {
  if (reservedKeyIn(metadata) === undefined) return metadata;
  const reserved = new Set<string>(reservedMetadataKeys);
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !reserved.has(key)));
}

/** That the code of the application says nothing of a message that only svc may say. */
export function requireUnreserved(type: string, metadata: Metadata): void {
  const key = reservedKeyIn(metadata);
  if (key === undefined) return;
  throw new ServiceError(
    'SVC_RESERVED_METADATA',
    `The metadata of ${type} have the name "${key}", which is reserved for svc. Choose another name, or leave it out.`,
  );
}

function reservedKeyIn(metadata: Metadata): string | undefined {
  return reservedMetadataKeys.find((key) => Object.hasOwn(metadata, key));
}
