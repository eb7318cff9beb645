import { ServiceError } from '../errors/index.js';
import type { Command, MessageClass } from '../messages/index.js';

/**
 * Accepts messages from any client of the broker, without proof of its name. Every client that may publish can then send what this host
 * accepts, under any name. Use it for trials, for a broker that one team owns, and during an upgrade.
 */
export const unprovenHosts: unique symbol = Symbol('unprovenHosts');

/** A host to accept messages from: the `hostName` of its transport, or `unprovenHosts`. */
export type AcceptedHost = string | typeof unprovenHosts;

/** From which hosts this host accepts which events. */
export interface EventAcceptance {
  readonly from: AcceptedHost | readonly AcceptedHost[];
  /** The namespaces of the types: `orders` for `orders.OrderPlaced`, `svc` for system events. */
  readonly namespaces: readonly string[];
}

/** From which hosts this host accepts which commands. */
export interface CommandAcceptance {
  readonly from: AcceptedHost | readonly AcceptedHost[];
  readonly commands: readonly MessageClass<Command>[];
}

/** The origins that a type of message is accepted from, over all declarations. */
export class AcceptedOrigins {
  readonly #hosts = new Set<string>();
  #acceptsUnproven = false;

  get hosts(): ReadonlySet<string> {
    return this.#hosts;
  }

  /** Whether no proof of the origin is required. */
  get acceptsUnproven(): boolean {
    return this.#acceptsUnproven;
  }

  add(hosts: readonly AcceptedHost[]): void {
    for (const host of hosts) {
      if (host === unprovenHosts) this.#acceptsUnproven = true;
      else this.#hosts.add(host);
    }
  }
}

/** The hosts of a declaration. Throws if a name is invalid. */
export function hostsOf(from: EventAcceptance['from']): readonly AcceptedHost[] {
  const hosts: readonly AcceptedHost[] = Array.isArray(from) ? from : [from as AcceptedHost];
  for (const host of hosts) {
    if (host === unprovenHosts || (typeof host === 'string' && /^[\w.-]{1,100}$/.test(host))) continue;
    throw new ServiceError(
      'SVC_INVALID_HOST_NAME',
      'Cannot accept messages: the host name is invalid. Use the hostName of the other host\'s transport: 1 to 100 letters, digits, ".", "_" or "-".',
    );
  }
  return hosts;
}
