/** Lanes of work, and the hosts that share it. */
export interface SharedWork {
  readonly lanes: readonly string[];
  /** The hosts that take part, this one included, in the same order on every host. */
  readonly hosts: readonly string[];
  /** The host that holds each lane; a lane without one is free. */
  readonly holders: ReadonlyMap<string, string>;
  readonly self: string;
}

/** The lanes that a host gives up, and those it takes, on the way to an even share. */
export interface ShareChange {
  readonly release: readonly string[];
  readonly take: readonly string[];
}

/**
 * The next step of a host to an even share. The shares of all hosts add up to the number of lanes and differ by one at most. Each host computes
 * its own, so no host coordinates the others.
 */
export function towardsEvenShare({ lanes, hosts, holders, self }: SharedWork): ShareChange {
  const rank = hosts.indexOf(self);
  const [least, remainder] = [Math.floor(lanes.length / hosts.length), lanes.length % hosts.length];
  const share = least + (rank < remainder ? 1 : 0);
  const own = lanes.filter((lane) => holders.get(lane) === self);
  const free = lanes.filter((lane) => !holders.has(lane));
  // Hosts that start together begin at different lanes.
  const start = free.length === 0 ? 0 : (rank * least + Math.min(rank, remainder)) % free.length;
  const inOrder = [...free.slice(start), ...free.slice(0, start)];
  return { release: own.slice(share), take: inOrder.slice(0, Math.max(0, share - own.length)) };
}
