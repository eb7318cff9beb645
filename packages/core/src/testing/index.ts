export { collect, commitRecord, pendingRecord, type EventFields } from './records.js';
export type { OpenStorage, StorageCase } from './storage-case.js';
export { capabilitiesOf, capabilityContracts, contractOf, storageContract } from './storage-contract.js';
export type { GivenEvent } from './given-event.js';
export { given, PerspectiveTest } from './perspective-test.js';
export { createTestService } from './test-service.js';
export { receptorTest, type CommandOptions, type CommandOutcome, type ReceptorTest } from './receptor-test.js';
export type { DeadLetter, IntrusionRoute, TransportBroker, TransportCase } from './transport-case.js';
export { brokerContract, transportContract } from './transport-contract.js';
export {
  asSent,
  eventually,
  listen,
  numbered,
  receivedMessage,
  transportMessage,
  type Listening,
} from './transport-messages.js';
export {
  MessageRegistry,
  rememberIds,
  reservedMetadataKeys,
  wrap,
  type MessageDescriptor,
  type MessageEnvelope,
  type MessageKind,
} from '../messages/index.js';
export {
  EventLog,
  InMemoryPerspectives,
  newTables,
  type ColumnCondition,
  type DeferredOutboxChannel,
  type ModelPlace,
  type UnitEventStore,
} from '../storage/index.js';
export { LocalDispatcher } from '../dispatch/index.js';
export { auditAttributeOf, AuditPolicy } from '../system-events/index.js';
export { type UnprocessableMessage } from '../transport/index.js';
export type { TableItem } from '../migrations/index.js';
export { type HostParts, type IdempotentAnswer, type PerspectiveDescriptor } from '../hosting/index.js';
