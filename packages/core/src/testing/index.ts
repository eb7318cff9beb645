export { collect, commitRecord, pendingRecord, type EventFields } from './records.js';
export {
  databaseContract,
  storageContract,
  systemDeliveryContract,
  type OpenStorage,
  type StorageCase,
} from './storage-contract.js';
export { given, PerspectiveTest, type GivenEvent } from './perspective-test.js';
export {
  brokerContract,
  transportContract,
  type DeadLetter,
  type IntrusionRoute,
  type TransportBroker,
  type TransportCase,
} from './transport-contract.js';
export {
  asSent,
  eventually,
  listen,
  numbered,
  receivedMessage,
  transportMessage,
  type Listening,
} from './transport-messages.js';
