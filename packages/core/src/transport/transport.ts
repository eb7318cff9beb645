import type { EventRecord } from '../storage/index.js';

/** A message between hosts. */
export interface TransportMessage extends EventRecord {
  /** The topic it is published to: the namespace of its type, or that of the audit. */
  readonly destination: string;
  /** The host that published it. */
  readonly origin: string;
}

export type ReceiveMessage = (message: TransportMessage) => Promise<void>;

/** Carries messages between hosts. Each may arrive more than once, and those of one stream arrive in order. */
export interface Transport {
  /** Resolves once all of them are safe with the transport. */
  publish(messages: readonly TransportMessage[]): Promise<void>;
  /** Hands over what others publish, one message after another: the next when `receive` has resolved, the same again when it failed. */
  subscribe(receive: ReceiveMessage): Promise<Subscription>;
}

export interface Subscription {
  /** Whether messages come in at the moment. */
  readonly isUp: boolean;
  /** Resolves once nothing more is handed over. */
  close(): Promise<void>;
}
