export {
  AcceptedOrigins,
  hostsOf,
  unprovenHosts,
  type AcceptedHost,
  type CommandAcceptance,
  type EventAcceptance,
} from './accepted-origins.js';
export { Admission } from './admission.js';
export { ClockLimit, defaultAheadMs } from './clock-limit.js';
export { CommandAge } from './command-age.js';
export { asWritten, CommandInbox, type OpenCommand } from './command-inbox.js';
export { ConcurrentCommands, defaultCommandsAtOnce, type DeliveryOutcome } from './concurrent-commands.js';
export { ClosedDestinations } from './closed-destinations.js';
export { toCloudEvent, type CloudEvent } from './cloud-event.js';
export { fromCloudEvent, type ArrivedCloudEvent } from './received-cloud-event.js';
export { deadLettering, type ToDeadLetters } from './dead-lettering.js';
export { DeadLetters } from './dead-letters.js';
export { matchingDeadLetters, type DeadLetterPage } from './matching-dead-letters.js';
export { isEditable } from './edited-message.js';
export { FailedAttempts } from './failed-attempts.js';
export { InProcessTransport } from './in-process-transport.js';
export { storingDeadLetters } from './storing-dead-letters.js';
export {
  signingKey,
  verifyingKey,
  type CheckedKey,
  type PrivateMessageKey,
  type PublicMessageKey,
  type SharedKey,
  type SigningKey,
  type VerifyingKey,
} from './message-keys.js';
export { MessageUndeliverableError } from './message-undeliverable-error.js';
export { MessageRejectedError, type RejectionCause } from './message-rejected-error.js';
export { OriginProof } from './origin-proof.js';
export { everyTenant, type PlaceTenant } from './place-tenant.js';
export { PublishingEventStoreDecorator } from './publishing-event-store-decorator.js';
export { receivedEvents, type ToReceivedEvent } from './received-event.js';
export { scheduledScope } from './received-scope.js';
export { receivingByTenant, receivingCommandsByTenant } from './receiving-by-tenant.js';
export { isLastingFailure, receivingCommands } from './receiving-commands.js';
export { mostReceiveAttempts, receiving, type PrepareEvent } from './receiving.js';
export { RejectedLetters } from './rejected-letters.js';
export { RejectionTally } from './rejection-tally.js';
export { reportingFailures } from './reporting-failures.js';
export { signingTransport } from './signing-transport.js';
export { structuredCloudEvent, type OpenEvent } from './structured-cloud-event.js';
export { systemStreamDelivery, systemStreamRecord } from './system-stream-delivery.js';
export { systemStreamWorker } from './system-stream-worker.js';
export { interestsOf, namespaceOf, topicsOf } from './topics.js';
export type { DescribedDestination, TransportDescription } from './transport-description.js';
export { transportDelivery } from './transport-delivery.js';
export { transportWorker } from './transport-worker.js';
export {
  largestReceiveBatch,
  type ConnectivityResult,
  type Interest,
  type MessageSignature,
  type PublishedMessage,
  type ReceiveCommand,
  type ReceivedMessage,
  type ReceiveMessages,
  type Subscription,
  type Transport,
  type TransportConnectivity,
  type TransportMessage,
  type UnprocessableMessage,
} from './transport.js';
export type { WantedTopic } from './wanted-topic.js';
