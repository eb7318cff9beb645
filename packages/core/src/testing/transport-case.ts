import type { PublishedMessage, Transport } from '../transport/index.js';

/** A dead letter in a broker. */
export interface DeadLetter {
  readonly id: string;
  /** The message of the error that rejected it. */
  readonly cause: string;
}

/** The route on which a message is published, independent of its content. */
export interface IntrusionRoute {
  readonly destination: string;
  /** For brokers that route by type. */
  readonly type: string;
}

/** Transports on the broker of one case, which is empty at first; the test closes all of them afterwards. */
export interface TransportBroker {
  /** Opens the transport of a host. */
  open(hostName: string): Promise<Transport>;
  /**
   * Publishes any message on any route without svc, like a client of the broker that is not a host. Default route: that of the message.
   */
  intrude(message: PublishedMessage, route?: IntrusionRoute): Promise<void>;
  /** Returns the dead letters of a host, from its events or its commands. Default: its events. */
  deadLetters(hostName: string, of?: 'events' | 'inbox'): Promise<readonly DeadLetter[]>;
}

/** One case of the transport contract. `run` throws an assertion error if the transport does not comply. */
export interface TransportCase {
  readonly name: string;
  readonly run: (broker: TransportBroker) => Promise<void>;
}
