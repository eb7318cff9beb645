import { newId } from '../../messages/index.js';
import type { HeldLease, StorageLeases } from '../../storage/index.js';
import { furthestBehind, segmentsFor, type Divisions } from './divisions.js';
import { towardsEvenShare } from './even-share.js';
import { nameOfWork, partsOf, workOfName, type PerspectiveWork } from './perspective-work.js';

/** How often a host checks which hosts share the work. */
export const lookMs = 1_000;
/** How often a host tries again at once because another one was faster, or because it has divided a perspective. */
const mostTries = 3;

/** The start of the lanes of all perspectives. */
export const perspectiveLanes = 'perspectives/';

/** At the end of the lane of a host that can process segments. */
const canDivide = '/segments';

/** A perspective or a segment, and the host that processes its events. */
export interface PerspectiveHolder extends PerspectiveWork {
  /** The machine and the process; null: unknown. */
  readonly process: string | null;
}

/** The hosts that process the events of perspectives. While versions run together, a perspective has one for each. */
export function perspectiveHolders(held: readonly HeldLease[]): readonly PerspectiveHolder[] {
  return held.flatMap(({ lane, process }) => {
    const [, name] = /^perspectives\/[^/]+\/of\/(.+)$/u.exec(lane) ?? [];
    return name === undefined ? [] : [{ ...workOfName(name), process }];
  });
}

export interface ShareListeners {
  /** Called when a lease of another host has expired. */
  readonly wake: () => void;
  /** Called with the leases of the hosts that share the work, each time they were read. */
  readonly looked: (held: readonly HeldLease[]) => void;
}

/** The work of this host, and that of the hosts with which it shares the perspectives. */
export interface SharedPerspectives {
  readonly own: readonly PerspectiveWork[];
  readonly others: readonly PerspectiveWork[];
}

/**
 * The perspectives whose events this host processes. Hosts of one version share them evenly; each perspective has one host at a time. If that host
 * falls behind while other hosts are idle, it divides the perspective into segments and shares these with them.
 */
export class WorkShare {
  readonly #leases: StorageLeases;
  readonly #divisions: Divisions;
  readonly #names: readonly string[];
  readonly #group: string;
  /** Held by every host that takes part. */
  readonly #ownLane: string;
  readonly #wake: () => void;
  readonly #looked: (held: readonly HeldLease[]) => void;
  /** Since when this host is behind the log, by the name of its work. */
  readonly #behindSince = new Map<string, number>();
  #otherHosts = 0;
  #shared: SharedPerspectives;
  #lookAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `version`: what hosts that share the work have in common. */
  constructor(
    names: readonly string[],
    version: string,
    leases: StorageLeases,
    divisions: Divisions,
    { wake, looked }: ShareListeners,
  ) {
    this.#leases = leases;
    this.#divisions = divisions;
    this.#names = names;
    this.#group = `${perspectiveLanes}${version}/`;
    this.#ownLane = `${this.#group}host/${newId()}${divisions.arePossible ? canDivide : ''}`;
    this.#wake = wake;
    this.#looked = looked;
    this.#shared = { own: [], others: names.map((perspective) => ({ perspective })) };
    leases.onReleased(() => (this.#lookAt = 0));
  }

  /** How many other hosts took part when this host last checked. */
  get otherHosts(): number {
    return this.#otherHosts;
  }

  /** The start of the lanes of all hosts that share the work. */
  get group(): string {
    return this.#group;
  }

  /** The start of the lanes of these perspectives. */
  get lanes(): string {
    return `${this.#group}of/`;
  }

  /** Whether this host processes the events of all perspectives. */
  get isComplete(): boolean {
    return this.#shared.others.length === 0;
  }

  /** The parts of a perspective that this host processed when it last checked, and how many there were. */
  partOf(perspective: string): { readonly own: number; readonly all: number } {
    const isOf = (work: PerspectiveWork): boolean => work.perspective === perspective;
    const own = this.#shared.own.filter(isOf).length;
    return { own, all: own + this.#shared.others.filter(isOf).length };
  }

  /** The shared perspectives. Call it when none has uncommitted changes: it gives some of them to other hosts. */
  async take(): Promise<SharedPerspectives> {
    await this.#leases.hold(this.#ownLane);
    if (performance.now() >= this.#lookAt) await this.#look();
    for (const work of this.#shared.own) await this.holds(work);
    return this.#shared;
  }

  /** Whether this host still processes the events of a perspective or a segment. */
  async holds(work: PerspectiveWork): Promise<boolean> {
    const { own, others } = this.#shared;
    const held = own.find((one) => nameOfWork(one) === nameOfWork(work));
    if (held === undefined) return false;
    if (await this.#leases.hold(this.#laneOf(work))) return true;
    this.#shared = { own: own.filter((one) => one !== held), others: [...others, held] };
    this.#lookAt = 0;
    return false;
  }

  progressed(work: PerspectiveWork, isBehind: boolean): void {
    const name = nameOfWork(work);
    if (!isBehind) this.#behindSince.delete(name);
    else if (!this.#behindSince.has(name)) this.#behindSince.set(name, performance.now());
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    this.#lookAt = performance.now() + lookMs;
    for (let tries = 1, isSettled = false; !isSettled && tries <= mostTries; tries++) {
      const divisions = await Promise.all(this.#names.map((name) => this.#divisions.read(name)));
      const parts = divisions.map(({ perspective, segments }) => partsOf(perspective, segments));
      const held = await this.#leases.readHeld(this.#group);
      const others = held.filter(({ lane, isOwn }) => !isOwn && lane.startsWith(`${this.#group}host/`));
      const hosts = others.length + 1;
      const mayDivide = hosts > this.#names.length && others.every(({ lane }) => lane.endsWith(canDivide));
      const isRefused = await this.#share(parts, held, others, mayDivide);
      isSettled = !(await this.#adapt(parts, mayDivide, hosts, furthestBehind(divisions))) && !isRefused;
      this.#lookWhenOneExpires(held);
      this.#otherHosts = others.length;
      this.#looked(held);
    }
  }

  /** Takes and releases leases. Returns whether another host was faster. `parts`: of each perspective. */
  async #share(
    parts: readonly (readonly PerspectiveWork[])[],
    held: readonly HeldLease[],
    others: readonly HeldLease[],
    mayDivide: boolean,
  ): Promise<boolean> {
    // Segments that are not needed stay together, so that one host can make their perspective whole. The first one decides which.
    const units = mayDivide ? parts.flat().map((work) => [work]) : parts;
    const holders = new Map(held.map(({ lane, holder }) => [lane, holder]));
    const self = holders.get(this.#ownLane) ?? this.#ownLane;
    const hosts = [self, ...others.map(({ holder }) => holder)].toSorted();
    const lanes = units.map(([first]) => this.#laneOf(first!));
    const { release, take } = towardsEvenShare({ lanes, hosts, holders, self });
    const isOwn = (lane: string): boolean =>
      take.includes(lane) || (holders.get(lane) === self && !release.includes(lane));
    const wanted = units.filter((_, i) => isOwn(lanes[i]!)).flat();
    const wantedLanes = new Set(wanted.map((work) => this.#laneOf(work)));
    for (const [lane, holder] of holders) {
      if (holder === self && lane.startsWith(this.lanes) && !wantedLanes.has(lane)) await this.#leases.release(lane);
    }
    let isRefused = false;
    const own = new Set<PerspectiveWork>();
    for (const work of wanted) {
      const lane = this.#laneOf(work);
      if (holders.get(lane) === self || (await this.#leases.hold(lane))) own.add(work);
      else isRefused = true;
    }
    this.#shared = { own: [...own], others: parts.flat().filter((work) => !own.has(work)) };
    const ownNames = new Set([...own].map(nameOfWork));
    for (const name of this.#behindSince.keys()) if (!ownNames.has(name)) this.#behindSince.delete(name);
    return isRefused;
  }

  /**
   * Divides perspectives of this host that are behind among idle hosts, or makes perspectives whole. Returns whether it has changed one. Hosts that
   * do so at the same time create more segments than there are hosts, which they share evenly. Idle hosts are first for the perspective that is
   * furthest behind: the others may be able to follow by themselves.
   */
  async #adapt(
    parts: readonly (readonly PerspectiveWork[])[],
    mayDivide: boolean,
    hosts: number,
    furthest: string | undefined,
  ): Promise<boolean> {
    const idle = hosts - parts.flat().length;
    let hasChanged = false;
    for (const all of parts) {
      const { perspective } = all[0]!;
      if (this.partOf(perspective).own < all.length) continue;
      if (all.length > 1) {
        if (!mayDivide && (await this.#divisions.unite(perspective))) hasChanged = true;
      } else if (mayDivide && idle > 0 && this.#isBehind(all[0]!, perspective === furthest ? 1 : 2)) {
        // While there are idle hosts, each of the others has one part, so it divides one perspective.
        if (await this.#divisions.divide(perspective, segmentsFor(idle))) hasChanged = true;
      }
    }
    return hasChanged;
  }

  #isBehind(work: PerspectiveWork, patience: number): boolean {
    const { afterMs } = this.#divisions;
    const since = this.#behindSince.get(nameOfWork(work)) ?? (afterMs === 0 ? -Infinity : Infinity);
    return performance.now() - since >= afterMs * patience;
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

  #laneOf(work: PerspectiveWork): string {
    return `${this.lanes}${nameOfWork(work)}`;
  }
}
