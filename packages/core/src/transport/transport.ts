import type { EventRecord } from '../storage/index.js';
import type { TransportDescription } from './transport-description.js';
import type { WantedTopic } from './wanted-topic.js';

/** A message between hosts: an event or a command. The `streamId` of a command is its own id. */
export interface TransportMessage extends EventRecord {
  /** The topic of an event: the namespace of its type, or the audit topic. For a command: the inbox of a host. */
  readonly destination: string;
  /** The host that published it. */
  readonly origin: string;
}

/** The signature of the host that published a message. `signMessages` enables signing. */
export interface MessageSignature {
  /** The id of the key, which is unique per host. */
  readonly keyId: string;
  /** Base64url. */
  readonly value: string;
}

/** A message to publish to other hosts. */
export interface PublishedMessage extends TransportMessage {
  /** Absent: the host does not sign its messages. */
  readonly signature?: MessageSignature;
}

/**
 * A message that arrived from a broker. `origin` is the claim of the message. `provenOrigin`, `destination` and `routedType` come from the
 * transport: a sender cannot choose them.
 */
export interface ReceivedMessage extends TransportMessage {
  /** The host that the transport has proven to be the sender; null: no host is proven. */
  readonly provenOrigin: string | null;
  /** The type that the broker routed the message by; null: it routes by the destination alone. */
  readonly routedType: string | null;
  /** The signature, not verified yet; null: the message is not signed. */
  readonly signature: MessageSignature | null;
}

/** The messages that a host subscribes to. Messages of a stream arrive in order within one interest, not across several. */
export interface Interest {
  /** The same at every start: it identifies the messages that arrived while the host was down. */
  readonly name: string;
  readonly topics: readonly WantedTopic[];
  /** Types that the host knows but does not accept: subscriptions that an earlier start created for them end. Default: none. */
  readonly unwanted?: readonly WantedTopic[];
}

/** A message that can never be processed, and why. */
export interface UnprocessableMessage {
  readonly message: ReceivedMessage;
  readonly cause: Error;
  /** The number of attempts. Default: 1. */
  readonly attempts?: number;
}

/**
 * Processes messages in their order. It resolves with those that the transport must dead-letter; all others are processed. If it throws, the
 * transport delivers all of them again.
 */
export type ReceiveMessages = (messages: readonly ReceivedMessage[]) => Promise<readonly UnprocessableMessage[]>;

/**
 * Processes a command. It resolves with null, or with the message if the broker must dead-letter the command. If it throws, the transport
 * delivers the command again after a delay.
 */
export type ReceiveCommand = (command: ReceivedMessage) => Promise<UnprocessableMessage | null>;

/** The maximum number of messages that a transport delivers at once. */
export const largestReceiveBatch = 500;

/** Transports messages between hosts. A message may arrive more than once; messages of a stream arrive in the order of publication. */
export interface Transport {
  /**
   * The name of this host, the same at every start. Hosts that share a database share the name: each message goes to one of them, and none of
   * them receives what one of them has published. Absent: a new name at every start.
   */
  readonly hostName?: string;
  /** The name of the messaging system for telemetry, as OpenTelemetry defines it: `rabbitmq`. Absent: `svc`. */
  readonly systemName?: string;
  /** Where other programs find the messages, for the AsyncAPI document. Absent: no other program can reach them. */
  readonly description?: TransportDescription;
  /** Whether the transport can prove the origin of messages of a host. Absent: it proves none, and hosts must sign their messages. */
  canProve?(hostName: string): boolean;
  /** Receives, before any other call, where to report failures that no call returns, such as a lost connection. Absent: it has none. */
  reportTo?(report: (error: unknown) => void): void;
  /** The health check of the broker; absent if there is none. */
  readonly connectivity?: TransportConnectivity;
  /**
   * Resolves once the transport has stored all messages durably. If it rejects, all are published again. Rejects with `MessageUndeliverableError`
   * for messages that it permanently rejects, with `SVC_TRANSPORT_UNAVAILABLE` if the broker is unavailable, and with
   * `SVC_DESTINATION_UNAVAILABLE` if only one destination accepts no messages: svc then tries the others.
   */
  publish(messages: readonly PublishedMessage[]): Promise<void>;
  /**
   * Delivers messages of other hosts to `receive`: the next ones after it has resolved, the same ones after a delay if it threw. Resolves once
   * the subscription is up, or once the broker could not be reached: it then retries, and `isUp` shows the state. Rejects if a retry would not
   * help.
   */
  subscribe(interest: Interest, receive: ReceiveMessages): Promise<Subscription>;
  /**
   * Delivers the commands that were sent to this host name, each to one of the hosts that share it, concurrently and in no order. A command
   * that fails delays no other. Resolves and rejects like `subscribe`. Absent: the transport does not support commands.
   */
  openInbox?(receive: ReceiveCommand): Promise<Subscription>;
  /** Releases all resources. Rejects pending and later calls. Absent: there are no resources to release. */
  close?(): Promise<void>;
}

/** A subscription to messages or to an inbox. */
export interface Subscription {
  /** Whether the subscription currently receives messages. */
  readonly isUp: boolean;
  /** Resolves once no more messages are delivered. Messages that are not processed go to the next subscription. */
  close(): Promise<void>;
}

/** The health check of a broker. It uses the existing connection, and opens none. */
export interface TransportConnectivity {
  /** The name of the health check: `amqp_broker`. */
  readonly name: string;
  check(): ConnectivityResult | Promise<ConnectivityResult>;
}

/** The result of the health check of a broker. */
export interface ConnectivityResult {
  readonly status: 'Healthy' | 'Degraded' | 'Unhealthy';
  /** One sentence for an operator, without the names of hosts and users. */
  readonly description?: string;
  readonly data?: Readonly<Record<string, string | number | boolean | null>>;
}
