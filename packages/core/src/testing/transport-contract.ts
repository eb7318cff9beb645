import { brokerCases } from './transport-broker-cases.js';
import type { TransportCase } from './transport-case.js';
import { deliveryCases } from './transport-delivery-cases.js';
import { brokerInboxCases, inboxCases } from './transport-inbox-cases.js';
import { settlingCases } from './transport-settling-cases.js';
import { trustCases } from './transport-trust-cases.js';

/**
 * The contract suite of every transport, for any test runner: `it.each(transportContract)('$name', ({ run }) => run(broker))`, with a new broker,
 * or an empty part of one, for each case.
 */
export const transportContract: readonly TransportCase[] = [
  ...deliveryCases,
  ...settlingCases,
  ...inboxCases,
  ...trustCases,
];

/** The contract suite of brokers, which retain messages for hosts that are down. */
export const brokerContract: readonly TransportCase[] = [...transportContract, ...brokerCases, ...brokerInboxCases];
