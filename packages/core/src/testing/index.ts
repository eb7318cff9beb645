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
  type TransportBroker,
  type TransportCase,
} from './transport-contract.js';
export { eventually, listen, numbered, transportMessage, type Listening } from './transport-messages.js';
