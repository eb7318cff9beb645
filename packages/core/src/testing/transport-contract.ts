import type { Transport } from '../transport/index.js';
import { brokerCases } from './transport-broker-cases.js';
import { deliveryCases } from './transport-delivery-cases.js';
import { brokerInboxCases, inboxCases } from './transport-inbox-cases.js';
import { settlingCases } from './transport-settling-cases.js';

/** A message that was put aside. */
export interface DeadLetter {
  readonly id: string;
  /** The message of the error it was refused with. */
  readonly cause: string;
}

/** Transports on the broker of one case, which is empty when the case begins; the caller closes all of them after it. */
export interface TransportBroker {
  /** Opens the transport of a host. */
  open(hostName: string): Promise<Transport>;
  /** What a host has refused so far. */
  deadLetters(hostName: string): Promise<readonly DeadLetter[]>;
}

/** One thing that every transport promises. `run` throws an assertion error when this one does not keep it. */
export interface TransportCase {
  readonly name: string;
  readonly run: (broker: TransportBroker) => Promise<void>;
}

/**
 * What every transport promises, for any test runner: `it.each(transportContract)('$name', ({ run }) => run(broker))`, with a new
 * broker, or an empty part of one, for each case.
 */
export const transportContract: readonly TransportCase[] = [...deliveryCases, ...settlingCases, ...inboxCases];

/** The same for brokers, which keep messages for hosts that are down. */
export const brokerContract: readonly TransportCase[] = [...transportContract, ...brokerCases, ...brokerInboxCases];
