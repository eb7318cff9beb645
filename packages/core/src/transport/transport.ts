import type { EventRecord } from '../storage/index.js';

/** A message between hosts: an event, or a command, which has its own id in the place of a stream's. */
export interface TransportMessage extends EventRecord {
  /** The topic it is published to: the namespace of its type, or that of the audit. Of a command: the inbox of a host. */
  readonly destination: string;
  /** The host that published it. */
  readonly origin: string;
}

/** A signature of the host that published a message, as `signMessages` makes it. */
export interface MessageSignature {
  /** The key that made it, among those of the host. */
  readonly keyId: string;
  /** Base64url. */
  readonly value: string;
}

/** A message on its way to other hosts. */
export interface PublishedMessage extends TransportMessage {
  /** Absent: the host does not sign its messages. */
  readonly signature?: MessageSignature;
}

/**
 * A message that came from a broker. `origin` is what the message claims. `provenOrigin`, `destination` and `routedType` are what the
 * transport knows by itself: a sender cannot choose them.
 */
export interface ReceivedMessage extends TransportMessage {
  /** The host that the transport has proven to be the sender; null: it has proven none. */
  readonly provenOrigin: string | null;
  /** The type that the broker routed the message by; null: it routes by the destination alone. */
  readonly routedType: string | null;
  /** Not verified yet. Null: there is none. */
  readonly signature: MessageSignature | null;
}

/** Types that are wanted of one topic. */
export interface WantedTopic {
  readonly topic: string;
  /** Those of other types need not come; when they do, they are left alone. */
  readonly types: readonly string[];
}

/** What a host wants to be told of. Messages of one stream arrive in order within one interest, not across several. */
export interface Interest {
  /** The same at every start: what has come for it while the host was down is known by it. */
  readonly name: string;
  readonly topics: readonly WantedTopic[];
  /** Types that the host knows and does not accept: a subscription that an earlier start made for them ends. Default: none. */
  readonly unwanted?: readonly WantedTopic[];
}

/** A message that can never be taken, however often it comes, and why. */
export interface Refusal {
  readonly message: ReceivedMessage;
  readonly cause: Error;
  /** How often it was tried. Default: once. */
  readonly attempts?: number;
}

/**
 * Takes messages in their order. When it resolves, they are done with; those it refuses are put aside as dead letters. When it
 * throws, none of them is done with, and the same come again.
 */
export type ReceiveMessages = (messages: readonly ReceivedMessage[]) => Promise<readonly Refusal[]>;

/**
 * Takes a command. When it resolves, the command is done with; one that it refuses becomes a dead letter of the broker. When it
 * throws, the command comes again after a while.
 */
export type ReceiveCommand = (command: ReceivedMessage) => Promise<Refusal | null>;

/** The most messages that are handed over at once. */
export const largestReceiveBatch = 500;

/** Carries messages between hosts. Each may arrive more than once, and those of one stream arrive in the order they were published. */
export interface Transport {
  /**
   * Who this host is to the others, the same at every start. Hosts that share a database share the name: they take turns in
   * receiving, and none of them receives what one of them has published. Absent: a new one at every start.
   */
  readonly hostName?: string;
  /**
   * Whether `provenOrigin` of a message that a host of this name published can be that name. Absent: the transport proves no origin, and
   * hosts have to sign their messages.
   */
  canProve?(hostName: string): boolean;
  /** Whether the broker can be reached; absent when there is none. */
  readonly connectivity?: TransportConnectivity;
  /**
   * Resolves once all of them are safe with the transport. When it rejects, some may be: they are published again. With a
   * `MessageRefusedError` for those that it will never take. With `SVC_TRANSPORT_UNAVAILABLE` when the broker is away, with
   * `SVC_DESTINATION_UNAVAILABLE` when it is there and one of the destinations takes nothing: others are then tried.
   */
  publish(messages: readonly PublishedMessage[]): Promise<void>;
  /**
   * Hands over what others publish: the next messages when `receive` has resolved, the same again after a while when it threw. Resolves
   * once messages come in, or once the broker could not be reached: then it goes on trying, and `isUp` says when it went. Rejects
   * when trying again would not help.
   */
  subscribe(interest: Interest, receive: ReceiveMessages): Promise<Subscription>;
  /**
   * Hands over the commands that were sent to a host of this name, each to one of the hosts that share it, side by side and in no order. A
   * command that could not be taken holds up no other. Resolves and rejects as `subscribe` does. Absent: no commands are carried.
   */
  openInbox?(receive: ReceiveCommand): Promise<Subscription>;
  /** Gives everything back. What is being published is rejected, so is what is asked for later. Absent: there is nothing to give back. */
  close?(): Promise<void>;
}

export interface Subscription {
  /** Whether messages come in at the moment. */
  readonly isUp: boolean;
  /** Resolves once nothing more is handed over. What was handed over and not done with comes again to the next subscription. */
  close(): Promise<void>;
}

/** The health check of a broker. It asks over the connection that is there, and opens none. */
export interface TransportConnectivity {
  /** That of the health check: `amqp_broker`. */
  readonly name: string;
  check(): ConnectivityResult | Promise<ConnectivityResult>;
}

export interface ConnectivityResult {
  readonly status: 'Healthy' | 'Degraded' | 'Unhealthy';
  /** One sentence for an operator, without the names of hosts and users. */
  readonly description?: string;
  readonly data?: Readonly<Record<string, string | number | boolean | null>>;
}
