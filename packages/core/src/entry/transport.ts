/** What a broker implements and receives. */
export { recordedText } from '../errors/index.js';
export { hostOfInbox, inboxOf } from '../messages/index.js';
export { RetryDelay } from '../background/index.js';
export {
  ConcurrentCommands,
  defaultCommandsAtOnce,
  fromCloudEvent,
  largestReceiveBatch,
  MessageUndeliverableError,
  structuredCloudEvent,
  toCloudEvent,
  type ConnectivityResult,
  type DescribedDestination,
  type Interest,
  type PublishedMessage,
  type ReceiveCommand,
  type ReceivedMessage,
  type ReceiveMessages,
  type Subscription,
  type Transport,
  type TransportConnectivity,
  type TransportDescription,
  type TransportMessage,
  type WantedTopic,
} from '../transport/index.js';
