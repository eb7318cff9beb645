import { newId } from '../../messages/index.js';
import type { HeldLease, StorageLeases } from '../../storage/index.js';
import { towardsEvenShare } from './even-share.js';

/** How often a host checks which hosts share the work. */
export const lookMs = 1_000;
/** How often a host tries again at once because another one was faster. */
const mostTries = 3;

/** The start of the lanes of all perspectives. */
export const perspectiveLanes = 'perspectives/';

/** A perspective, and the host that processes its events. */
export interface PerspectiveHolder {
  readonly perspective: string;
  /** The machine and the process; null: unknown. */
  readonly process: string | null;
}

/** The hosts that process the events of perspectives. While versions run together, a perspective has one for each. */
export function perspectiveHolders(held: readonly HeldLease[]): readonly PerspectiveHolder[] {
  return held.flatMap(({ lane, process }) => {
    const [, perspective] = /^perspectives\/[^/]+\/of\/(.+)$/u.exec(lane) ?? [];
    return perspective === undefined ? [] : [{ perspective, process }];
  });
}

/** The perspectives whose events this host processes. Hosts of one version share them evenly; each perspective has one host at a time. */
export class WorkShare {
  readonly #leases: StorageLeases;
  readonly #names: readonly string[];
  readonly #group: string;
  /** Held by every host that takes part. */
  readonly #ownLane: string;
  readonly #wake: () => void;
  #held: ReadonlySet<string> = new Set();
  #lookAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `version`: what hosts that share the work have in common. `wake` is called when a lease of another host has expired. */
  constructor(names: readonly string[], version: string, leases: StorageLeases, wake: () => void) {
    this.#leases = leases;
    this.#names = names;
    this.#group = `${perspectiveLanes}${version}/`;
    this.#ownLane = `${this.#group}host/${newId()}`;
    this.#wake = wake;
    leases.onReleased(() => (this.#lookAt = 0));
  }

  /** The start of the lanes of these perspectives. */
  get lanes(): string {
    return `${this.#group}of/`;
  }

  /** Whether this host processes the events of all perspectives. */
  get isComplete(): boolean {
    return this.#held.size === this.#names.length;
  }

  /** Whether this host processed the events of a perspective when it last checked. */
  has(name: string): boolean {
    return this.#held.has(name);
  }

  /** The perspectives of this host. Call it when none of them has uncommitted changes: it gives some of them to other hosts. */
  async take(): Promise<ReadonlySet<string>> {
    await this.#leases.hold(this.#ownLane);
    if (performance.now() >= this.#lookAt) await this.#look();
    for (const name of this.#held) await this.holds(name);
    return this.#held;
  }

  /** Whether this host still processes the events of a perspective. */
  async holds(name: string): Promise<boolean> {
    if (!this.#held.has(name)) return false;
    if (await this.#leases.hold(this.#laneOf(name))) return true;
    this.#held = new Set([...this.#held].filter((one) => one !== name));
    this.#lookAt = 0;
    return false;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    this.#lookAt = performance.now() + lookMs;
    for (let tries = 1, isRefused = true; isRefused && tries <= mostTries; tries++) {
      isRefused = false;
      const held = await this.#leases.readHeld(this.#group);
      const lanes = this.#names.map((name) => this.#laneOf(name));
      const holders = new Map(held.map(({ lane, holder }) => [lane, holder]));
      const self = holders.get(this.#ownLane) ?? this.#ownLane;
      const others = held.filter(({ lane, isOwn }) => !isOwn && lane.startsWith(`${this.#group}host/`));
      const hosts = [self, ...others.map(({ holder }) => holder)].toSorted();
      const { release, take } = towardsEvenShare({ lanes, hosts, holders, self });
      for (const lane of release) await this.#leases.release(lane);
      const own = new Set(lanes.filter((lane) => holders.get(lane) === self && !release.includes(lane)));
      for (const lane of take) {
        if (await this.#leases.hold(lane)) own.add(lane);
        else isRefused = true;
      }
      this.#held = new Set(this.#names.filter((name) => own.has(this.#laneOf(name))));
      this.#lookWhenOneExpires(held);
    }
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

  #laneOf(name: string): string {
    return `${this.lanes}${name}`;
  }
}
