export { ClassNotes } from './class-notes.js';
export type { EnvelopeScope, MessageEnvelope } from './envelope.js';
export {
  eventVersion,
  eventVersionOf,
  schemaVersionKey,
  unknownVersion,
  type EventBody,
  type Upcaster,
  type Upcasters,
} from './event-version.js';
export {
  claimedOriginKey,
  cloudEventIdKey,
  cloudEventSubjectKey,
  isReceived,
  latestIdIn,
  latestIdKey,
  originKey,
  replacesKey,
  type OrderedEvent,
} from './event-order.js';
export { hashedId } from './hashed-id.js';
export { firstIdOf, isTimeOrdered, newId, observeId, rememberIds, timeOfId } from './ids.js';
export { hostOfInbox, inboxOf } from './inbox.js';
export {
  messageOf,
  type Command,
  type CommandReturning,
  type DomainEvent,
  type Event,
  type FieldsOf,
  type MessageClass,
  type OnlySystemEvent,
  type ResultOf,
  type SystemEvent,
} from './markers.js';
export { lenient } from './lenient.js';
export { MessageRegistry, sealedInput, type MessageDescriptor, type MessageKind } from './message-registry.js';
export { inheritedMetadata, requireUnreserved, reservedMetadataKeys } from './reserved-metadata.js';
export { scopeOfText, scopeText } from './scope-text.js';
export { storedAs } from './stored-as.js';
export { SystemEventStream } from './system-event-stream.js';
export { systemTagged, systemTagPrefix, tagged, tagsOf } from './tags.js';
export { streamTenantKey, tenantOfEvent, type TenantBearer } from './tenant.js';
export type { TransportPublishFilter } from './transport-publish-filter.js';
export { wrap, type EnvelopeOptions } from './wrap.js';
