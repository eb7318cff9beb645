import { newId } from '../messages/index.js';
import { towardsEvenShare } from '../perspectives/index.js';
import { shortHash, type HeldLease, type StorageLeases } from '../storage/index.js';

/** How often a host checks which hosts share the reactions. */
const lookMs = 1_000;

/** The start of the lanes of all reactions. */
export const reactionLanes = 'reactions/of/';
const lanes = reactionLanes;
const hosts = 'reactions/host/';

/** Returns the hosts that run reactions, by the name of the reaction; null: the process is unknown. */
export function reactionHolders(held: readonly HeldLease[]): ReadonlyMap<string, string | null> {
  return new Map(held.map(({ lane, process }) => [lane.slice(lanes.length), process]));
}

/**
 * The reactions that this host runs. Each has one host at a time, whatever its version; hosts with the same reactions share them evenly.
 * Leases only avoid wasted work: terms ensure that nothing is committed twice.
 */
export class ReactionShare {
  readonly #names: readonly string[];
  readonly #leases: StorageLeases;
  readonly #wake: () => void;
  readonly #group: string;
  /** Held by every host that takes part. */
  readonly #ownLane: string;
  #own: ReadonlySet<string> = new Set();
  #lookAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `wake` is called when the lease of another host has expired. */
  constructor(names: readonly string[], leases: StorageLeases, wake: () => void) {
    this.#names = names;
    this.#leases = leases;
    this.#wake = wake;
    this.#group = `${hosts}${shortHash(names.toSorted().join('\n'))}/`;
    this.#ownLane = `${this.#group}${newId()}`;
    leases.onReleased(() => (this.#lookAt = 0));
  }

  /** Whether this host runs all reactions. */
  get isComplete(): boolean {
    return this.#own.size === this.#names.length;
  }

  /** Takes and releases reactions, on the way to an even share. */
  async look(): Promise<void> {
    await this.#leases.hold(this.#ownLane);
    if (performance.now() < this.#lookAt) return;
    this.#lookAt = performance.now() + lookMs;
    const members = await this.#leases.readHeld(this.#group);
    const held = await this.#leases.readHeld(lanes);
    const holders = new Map(held.map(({ lane, holder }) => [lane, holder]));
    const self = members.find(({ lane }) => lane === this.#ownLane)?.holder ?? this.#ownLane;
    const { release, take } = towardsEvenShare({
      lanes: this.#names.map((name) => lanes + name),
      hosts: [...new Set([self, ...members.map(({ holder }) => holder)])].toSorted(),
      holders,
      self,
    });
    for (const lane of release) await this.#leases.release(lane);
    const own = this.#names.filter((name) => holders.get(lanes + name) === self && !release.includes(lanes + name));
    for (const lane of take) if (await this.#leases.hold(lane)) own.push(lane.slice(lanes.length));
    this.#own = new Set(own);
    this.#lookWhenOneExpires([...members, ...held]);
  }

  /** Whether this host still runs a reaction. Each call renews its lease. */
  async holds(name: string): Promise<boolean> {
    if (!this.#own.has(name)) return false;
    if (await this.#leases.hold(lanes + name)) return true;
    this.#own = new Set([...this.#own].filter((own) => own !== name));
    this.#lookAt = 0;
    return false;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** A host that is alive renews its leases long before they expire. One that was killed does not. */
  #lookWhenOneExpires(held: readonly HeldLease[]): void {
    clearTimeout(this.#timer);
    const next = Math.min(...held.filter(({ isOwn }) => !isOwn).map(({ expiresInMs }) => expiresInMs));
    if (next >= lookMs) return;
    this.#timer = setTimeout(() => {
      this.#lookAt = 0;
      this.#wake();
    }, next + 1).unref();
  }
}
