import { newId } from '../messages/index.js';
import { towardsEvenShare } from '../perspectives/index.js';
import { reactionSegments, shortHash, type HeldLease, type StorageLeases } from '../storage/index.js';

/** How often a host checks which hosts share the reactions. */
const lookMs = 1_000;

/** The start of the lanes of all reactions. */
export const reactionLanes = 'reactions/of/';
const lanes = reactionLanes;
const hosts = 'reactions/host/';
const segments = Array.from({ length: reactionSegments }, (_, segment) => segment);

/** The lease of a segment of a reaction. */
function laneOf(name: string, segment: number): string {
  return `${lanes}${name}/${segment}`;
}

/** Returns the hosts that run each reaction, by its name. A host whose process is unknown is not among them. */
export function reactionHolders(held: readonly HeldLease[]): ReadonlyMap<string, readonly string[]> {
  const holders = new Map<string, Set<string>>();
  for (const { lane, process } of held) {
    const name = lane.slice(lanes.length, lane.lastIndexOf('/'));
    if (process !== null) holders.set(name, (holders.get(name) ?? new Set()).add(process));
  }
  return new Map([...holders].map(([name, processes]) => [name, [...processes].toSorted()]));
}

/**
 * The segments of reactions that this host runs. Each has one host at a time, whatever its version; hosts with the same reactions share them
 * evenly. Leases only avoid wasted work: terms ensure that nothing is committed twice.
 */
export class ReactionShare {
  /** The lanes of all segments of all reactions. */
  readonly #lanes: readonly string[];
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
    this.#lanes = names.flatMap((name) => segments.map((segment) => laneOf(name, segment)));
    this.#leases = leases;
    this.#wake = wake;
    this.#group = `${hosts}${shortHash(names.toSorted().join('\n'))}/`;
    this.#ownLane = `${this.#group}${newId()}`;
    leases.onReleased(() => (this.#lookAt = 0));
  }

  /** Whether this host runs all segments. */
  get isComplete(): boolean {
    return this.#own.size === this.#lanes.length;
  }

  /** Takes and releases segments, on the way to an even share. */
  async look(): Promise<void> {
    await this.#leases.hold(this.#ownLane);
    if (performance.now() < this.#lookAt) return;
    this.#lookAt = performance.now() + lookMs;
    const members = await this.#leases.readHeld(this.#group);
    const held = await this.#leases.readHeld(lanes);
    const holders = new Map(held.map(({ lane, holder }) => [lane, holder]));
    const self = members.find(({ lane }) => lane === this.#ownLane)?.holder ?? this.#ownLane;
    const { release, take } = towardsEvenShare({
      lanes: this.#lanes,
      hosts: [...new Set([self, ...members.map(({ holder }) => holder)])].toSorted(),
      holders,
      self,
    });
    for (const lane of release) await this.#leases.release(lane);
    const own = new Set(this.#lanes.filter((lane) => holders.get(lane) === self && !release.includes(lane)));
    for (const lane of take) if (await this.#leases.hold(lane)) own.add(lane);
    this.#own = own;
    this.#lookWhenOneExpires([...members, ...held]);
  }

  /** The segments of a reaction that this host still runs. Each call renews their leases. */
  async held(name: string): Promise<readonly number[]> {
    const held: number[] = [];
    for (const segment of segments) {
      const lane = laneOf(name, segment);
      if (!this.#own.has(lane)) continue;
      if (await this.#leases.hold(lane)) held.push(segment);
      else {
        this.#own = new Set([...this.#own].filter((own) => own !== lane));
        this.#lookAt = 0;
      }
    }
    return held;
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
