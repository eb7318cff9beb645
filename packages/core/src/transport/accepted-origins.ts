import { ServiceError } from '../errors/index.js';
import type { Command, MessageClass } from '../messages/index.js';

/**
 * Any client that can reach the broker, whether its name is proven or not. A client that may publish there can then send what this host accepts,
 * under any name: for trials, for a broker that one team owns, and while a running system is upgraded.
 */
export const unprovenHosts: unique symbol = Symbol('unprovenHosts');

/** The name of a host, as its transport has it, or `unprovenHosts`. */
export type AcceptedHost = string | typeof unprovenHosts;

/** Whose events a host accepts. */
export interface EventAcceptance {
  readonly from: AcceptedHost | readonly AcceptedHost[];
  /** The namespaces of the types: `orders` for `orders.OrderPlaced`, `svc` for system events. */
  readonly namespaces: readonly string[];
}

/** Whose commands a host accepts. */
export interface CommandAcceptance {
  readonly from: AcceptedHost | readonly AcceptedHost[];
  readonly commands: readonly MessageClass<Command>[];
}

/** The origins that something is accepted from, over all declarations. */
export class AcceptedOrigins {
  readonly #hosts = new Set<string>();
  #acceptsUnproven = false;

  get hosts(): ReadonlySet<string> {
    return this.#hosts;
  }

  /** Whether a proof is not asked for. */
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

/** The hosts of a declaration, checked. */
export function hostsOf(from: EventAcceptance['from']): readonly AcceptedHost[] {
  const hosts: readonly AcceptedHost[] = Array.isArray(from) ? from : [from as AcceptedHost];
  for (const host of hosts) {
    if (host === unprovenHosts || (typeof host === 'string' && /^[\w.-]{1,100}$/.test(host))) continue;
    throw new ServiceError(
      'SVC_INVALID_HOST_NAME',
      'Messages can be accepted from a host by its name alone: 1 to 100 letters, digits, ".", "_" or "-", as its transport has it.',
    );
  }
  return hosts;
}
