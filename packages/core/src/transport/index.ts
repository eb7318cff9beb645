export { BackgroundWorker } from './background-worker.js';
export { CommandInbox } from './command-inbox.js';
export { CommandTurns, defaultCommandsAtOnce } from './command-turns.js';
export { fromCloudEvent, toCloudEvent, type CloudEvent } from './cloud-event.js';
export { deadLettering, type PutAsideMessages } from './dead-lettering.js';
export { DeadLetters, type DeadLetterPage } from './dead-letters.js';
export { InProcessTransport } from './in-process-transport.js';
export { keepingRefusals } from './keeping-refusals.js';
export { MessageRefusedError } from './message-refused-error.js';
export { outboxWorker, type Deliver } from './outbox-worker.js';
export { PublishingEventStoreDecorator } from './publishing-event-store-decorator.js';
export { receivingCommands } from './receiving-commands.js';
export { receiving } from './receiving.js';
export { reportingFailures } from './reporting-failures.js';
export { RetryDelay } from './retry-delay.js';
export { systemStreamDelivery } from './system-stream-delivery.js';
export { systemStreamWorker } from './system-stream-worker.js';
export { interestsOf } from './topics.js';
export { transportDelivery } from './transport-delivery.js';
export {
  largestReceiveBatch,
  type ConnectivityResult,
  type Interest,
  type ReceiveCommand,
  type ReceiveMessages,
  type Refusal,
  type Subscription,
  type Transport,
  type TransportConnectivity,
  type TransportMessage,
  type WantedTopic,
} from './transport.js';
