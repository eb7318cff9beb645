import { ServiceError } from '../errors/index.js';
import {
  claimedOriginKey,
  cloudEventIdKey,
  cloudEventSubjectKey,
  latestIdKey,
  originKey,
  replacesKey,
} from './event-order.js';
import { schemaVersionKey } from './event-version.js';
import { streamTenantKey } from './tenant.js';

type Metadata = Readonly<Record<string, unknown>>;

/** The metadata keys that only svc may set: origin, ids of CloudEvents, version, tenant of the stream, latest id and replaced message. */
export const reservedMetadataKeys = [
  originKey,
  claimedOriginKey,
  cloudEventIdKey,
  cloudEventSubjectKey,
  latestIdKey,
  replacesKey,
  schemaVersionKey,
  streamTenantKey,
] as const;

/** The metadata that a message inherits from its cause: all except the reserved keys. */
export function inheritedMetadata(metadata: Metadata): Metadata {
  if (reservedKeyIn(metadata) === undefined) return metadata;
  const reserved = new Set<string>(reservedMetadataKeys);
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !reserved.has(key)));
}

/** Throws if the metadata of a message contains a reserved key. */
export function requireUnreserved(type: string, metadata: Metadata): void {
  const key = reservedKeyIn(metadata);
  if (key === undefined) return;
  throw new ServiceError(
    'SVC_RESERVED_METADATA',
    `The metadata of ${type} contains the key "${key}", which is reserved for svc. Rename or remove it.`,
  );
}

function reservedKeyIn(metadata: Metadata): string | undefined {
  return reservedMetadataKeys.find((key) => Object.hasOwn(metadata, key));
}
