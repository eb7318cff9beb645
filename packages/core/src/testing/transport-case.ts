import type { PublishedMessage, Transport } from '../transport/index.js';

/** A message that was put aside. */
export interface DeadLetter {
  readonly id: string;
  /** The message of the error it was refused with. */
  readonly cause: string;
}

/** Where a message is published, whatever it says of itself. */
export interface IntrusionRoute {
  readonly destination: string;
  /** Of use where the broker routes by the type. */
  readonly type: string;
}

/** Transports on the broker of one case, which is empty when the case begins; the caller closes all of them after it. */
export interface TransportBroker {
  /** Opens the transport of a host. */
  open(hostName: string): Promise<Transport>;
  /**
   * Publishes past svc, as a client of the broker does that is none of the hosts: a message of its choice, on a route of its choice. By default
   * that of the message.
   */
  intrude(message: PublishedMessage, route?: IntrusionRoute): Promise<void>;
  /** What a host has refused so far, of its events or of its commands. Default: of its events. */
  deadLetters(hostName: string, of?: 'events' | 'inbox'): Promise<readonly DeadLetter[]>;
}

/** One thing that every transport promises. `run` throws an assertion error when this one does not keep it. */
export interface TransportCase {
  readonly name: string;
  readonly run: (broker: TransportBroker) => Promise<void>;
}
