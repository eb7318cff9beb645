import {
  behindEverything,
  comparePlaces,
  PerspectiveMovedError,
  type LogPlace,
  type ReplayPage,
} from '../../storage/index.js';
import type { FollowedPerspective } from './followed-perspective.js';
import { ModelsLostError } from './model-buffer.js';
import { pageUpTo } from './page-part.js';
import { groupsByPlace, nearPair, type PlaceGroup } from './place-groups.js';
import { reportFailures } from './perspective-failed-error.js';
import type { PlannedBatch } from './process-batch.js';
import type { PlannedRewinds } from './rewind-events.js';
import { StreamRewinds, type RewindReport } from './stream-rewinds.js';
import type { RoundParts } from './round-parts.js';

/** How many events of the wanted types are read at once. */
export const pageSize = 1_000;
/** How long a round lasts at most: a host that stops waits for its end. */
export const roundMs = 1_000;
/** How often perspectives at the end of the log look for events while others catch up. */
export const lookAgainMs = 20;

/** A perspective and its part of a batch. */
interface Planned {
  readonly followed: FollowedPerspective;
  readonly plan: PlannedBatch;
}

/**
 * One pass of the worker: it reads the progress of all perspectives, and processes the events that follow. Perspectives at one place are a group, which
 * reads the log once. Groups that are near each other become one; others follow at the same time, each by itself.
 */
export class PerspectiveRound {
  readonly #parts: RoundParts;
  readonly #followed: readonly FollowedPerspective[];
  /** What other hosts process. */
  readonly #others: () => readonly FollowedPerspective[];
  /** Null: rewind events are disabled. */
  readonly #rewinds: StreamRewinds | null;
  readonly #errors: unknown[] = [];
  /** The groups that have not reached the end of the log, or the place of another group. */
  readonly #catchingUp = new Set<PlaceGroup>();
  #until = Infinity;
  #worked = false;
  #mayBeMore = false;
  #applying: Promise<void> = Promise.resolve();

  private constructor(
    followed: readonly FollowedPerspective[],
    others: () => readonly FollowedPerspective[],
    rewinds: StreamRewinds | null,
    parts: RoundParts,
  ) {
    this.#followed = followed;
    this.#others = others;
    this.#rewinds = rewinds;
    this.#parts = parts;
  }

  static async begin(
    followed: readonly FollowedPerspective[],
    others: () => readonly FollowedPerspective[],
    perspectiveNames: readonly string[],
    parts: RoundParts,
  ): Promise<PerspectiveRound> {
    const { storage, outgoingOf, lane } = parts;
    // All of them, even after an error: one that starts late would reset the models of the next round.
    for (const one of await Promise.allSettled(followed.map((each) => each.start()))) {
      if (one.status === 'rejected') throw one.reason;
    }
    const open = outgoingOf === null ? [] : await storage.readRewinds(lane);
    const rewinds = outgoingOf === null ? null : new StreamRewinds(open, { lane, perspectiveNames, outgoingOf });
    return new PerspectiveRound(followed, others, rewinds, parts);
  }

  /** Returns whether there may be more to process now. If not, appends wake the worker. */
  async run(): Promise<boolean> {
    const first = this.#followed.find(({ isActive }) => isActive);
    if (first !== undefined) await this.#tryTo(first, null, () => this.#completeOverdue(first));
    this.#until = performance.now() + roundMs;
    const groups = await this.#bringTogether();
    for (const group of groups) this.#catchingUp.add(group);
    const placesAfter = (i: number): LogPlace[] => groups.slice(i + 1).map(({ place }) => place);
    const following = groups.map((group, i) => this.#follow(group, placesAfter(i)));
    // All of them, even after an error: one that ends late would process the same events as the next round.
    for (const one of await Promise.allSettled(following)) {
      if (one.status === 'rejected') this.#errors.push(one.reason);
      else this.#mayBeMore ||= !one.value;
    }
    for (const error of this.#errors.slice(1)) this.#parts.report(error);
    if (this.#errors.length > 0) throw this.#errors[0];
    // Rewinds that all have passed by now are completed by the next round.
    return this.#mayBeMore || (this.#worked && this.#rewinds?.hasOpen === true);
  }

  /** Processes events for groups that are just behind another one, up to its place. Returns the groups afterwards. */
  async #bringTogether(): Promise<readonly PlaceGroup[]> {
    let groups = await this.#groups();
    for (let pair = nearPair(groups, null); pair !== null;) {
      const [behind, { place }] = pair;
      await this.#follow(behind, [place]);
      groups = await this.#groups();
      // Once for each place, even if a group fails.
      pair = nearPair(groups, place);
    }
    return groups;
  }

  #groups(): Promise<readonly PlaceGroup[]> {
    const active = this.#followed.filter(({ isActive }) => isActive);
    return groupsByPlace(active, (sequence) => this.#parts.log.placeAt(sequence));
  }

  /**
   * Processes the pages that follow the place of a group, up to a place where others are. At the end of the log, waits for groups that catch up.
   * Returns whether it has reached the end. After a read of several pages it looks again: such a read takes time, and more events may have been appended.
   */
  async #follow(group: PlaceGroup, ends: readonly LogPlace[]): Promise<boolean> {
    const { members } = group;
    let hasCaughtUp = false;
    let isOutOfTime = false;
    let isAtEnd = false;
    try {
      for (;;) {
        const pages = await this.#followToEnd(members, ends);
        isOutOfTime = performance.now() >= this.#until;
        isAtEnd = pages !== null && pages <= 1;
        if (isAtEnd) {
          hasCaughtUp = true;
          this.#catchingUp.delete(group);
        }
        if (pages === null || isOutOfTime) break;
        if (!isAtEnd || this.#parts.wasWoken()) continue;
        if (this.#catchingUp.size === 0) break;
        await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
      }
    } finally {
      this.#catchingUp.delete(group);
    }
    for (const one of members) {
      await this.#tryTo(one, null, () => one.buffer.flush());
      this.#parts.share.progressed(one.work, isOutOfTime && !hasCaughtUp);
    }
    return isAtEnd;
  }

  /** Processes what is in the log. Returns how many pages that were; null: it did not read all of them. */
  async #followToEnd(members: readonly FollowedPerspective[], ends: readonly LogPlace[]): Promise<number | null> {
    let pages = 0;
    const types = new Set(members.flatMap(({ finder }) => [...finder.types]));
    for await (const page of this.#parts.log.readReplayPages(sequenceOf(members), pageSize, types)) {
      this.#worked = true;
      pages++;
      const end = endOf(page, ends);
      await this.#process(members, end === undefined ? page : pageUpTo(page, end));
      if (end !== undefined || performance.now() >= this.#until) return null;
      if (!members.some(({ isActive }) => isActive) || !(await this.#holdsAll(members))) return null;
    }
    return pages;
  }

  async #holdsAll(group: readonly FollowedPerspective[]): Promise<boolean> {
    for (const { work } of group) if (!(await this.#parts.share.holds(work))) return false;
    return true;
  }

  async #process(group: readonly FollowedPerspective[], page: ReplayPage): Promise<void> {
    const plans = new Map<FollowedPerspective, Planned>();
    const plan = (followed: FollowedPerspective): Promise<void> =>
      this.#tryTo(followed, page.upTo, async () => {
        plans.set(followed, { followed, plan: await followed.plan(page) });
      });
    await Promise.all(group.map(plan));
    const planned = group.map((followed) => plans.get(followed)).filter((one) => one !== undefined);
    for (const one of planned) {
      await this.#tryTo(one.followed, page.upTo, () => this.#inTurn(() => this.#apply(one, planned, page)));
    }
  }

  /** Applies pages one after the other: the groups share the open rewinds. */
  async #inTurn(apply: () => Promise<void>): Promise<void> {
    const earlier = this.#applying;
    let end = (): void => {};
    this.#applying = new Promise((resolve) => (end = resolve));
    try {
      await earlier;
      await apply();
    } finally {
      end();
    }
  }

  async #apply({ followed, plan }: Planned, planned: readonly Planned[], page: ReplayPage): Promise<void> {
    const startedAt = new Date();
    if (plan.rewinds.length > 0) await this.#beginRewinds(followed, planned, page, startedAt);
    const advance = followed.process(plan);
    if (this.#rewinds?.hasOpen === true) await this.#completeRewinds({ followed, plan });
    await followed.commit(plan, advance);
    await reportFailures(followed.name, advance.failures, this.#parts);
  }

  /** Stores that the rewinds begin, before any model changes. */
  async #beginRewinds(
    followed: FollowedPerspective,
    planned: readonly Planned[],
    page: ReplayPage,
    startedAt: Date,
  ): Promise<void> {
    if (this.#rewinds === null) return;
    const own = rewindsOf(planned.find((one) => one.followed === followed)!);
    const others = [
      ...planned.filter((one) => one.followed !== followed).map(rewindsOf),
      ...(await this.#rewindsOfOthers(page)),
    ];
    const begun = this.#rewinds.begin(own, others, page.upTo, startedAt);
    await this.#report(begun, () => followed.buffer.commitOnly(begun));
  }

  /** The rewinds that other hosts are about to begin because of the same events. */
  async #rewindsOfOthers(page: ReplayPage): Promise<PlannedRewinds[]> {
    const planned: PlannedRewinds[] = [];
    for (const followed of this.#others()) {
      await followed.start();
      if (followed.isActive) planned.push(rewindsOf({ followed, plan: await followed.planCarefully(page) }));
    }
    return planned;
  }

  /** Commits a batch with the rewinds that it completes. */
  async #completeRewinds({ followed, plan }: Planned): Promise<void> {
    const own = rewindsOf({ followed, plan });
    const completed = await this.#rewinds!.complete(own, plan.upTo, (other, place) =>
      this.#hasPassed(other, place, followed),
    );
    await this.#report(completed, () => followed.buffer.flush(completed));
  }

  /** Completes rewinds that all perspectives have passed without a commit of this worker. */
  async #completeOverdue(followed: FollowedPerspective): Promise<void> {
    const overdue = (await this.#rewinds?.overdue((name, place) => this.#hasPassed(name, place))) ?? null;
    if (overdue !== null) await this.#report(overdue, () => followed.buffer.commitOnly(overdue));
  }

  async #report(report: RewindReport, commit: () => Promise<void>): Promise<void> {
    await commit();
    this.#rewinds!.committed(report);
    if (report.outgoing.length > 0) this.#parts.queued();
  }

  /** Whether a perspective has passed a place: all of its segments, or all except one. */
  async #hasPassed(perspectiveName: string, place: LogPlace, except?: FollowedPerspective): Promise<boolean> {
    const own = this.#followed.find(({ work }) => work.perspective === perspectiveName && work.segment === undefined);
    const progress = own === undefined ? await this.#parts.storage.readProgress(perspectiveName) : null;
    const isOther = (_: unknown, index: number): boolean =>
      except?.name !== perspectiveName || except.work.segment?.index !== index;
    const segments = progress?.segments?.filter(isOther).map(({ sequence }) => sequence);
    for (const sequence of new Set(segments ?? [own?.committed ?? progress!.sequence])) {
      if (sequence === behindEverything) continue;
      if (comparePlaces(await this.#parts.log.placeAt(sequence), place) < 0) return false;
    }
    return true;
  }

  /** Runs work for a perspective of the round. After an error the perspective leaves the round. */
  async #tryTo(followed: FollowedPerspective, upToPlace: LogPlace | null, work: () => Promise<void>): Promise<void> {
    if (!followed.isActive) return;
    try {
      await work();
    } catch (error) {
      followed.leave(error, upToPlace);
      // Another host was faster, or an event could not be applied: the next round reads the progress again.
      const isExpected = error instanceof PerspectiveMovedError || error instanceof ModelsLostError;
      if (isExpected) this.#mayBeMore = true;
      else this.#errors.push(error);
    }
  }
}

function rewindsOf({ followed, plan }: Planned): PlannedRewinds {
  const isSegment = followed.work.segment !== undefined;
  return { perspectiveName: followed.name, isSegment, rewinds: plan.rewinds };
}

/** The place of perspectives that advance together: all that are still part of the round are there. */
function sequenceOf(group: readonly FollowedPerspective[]): number {
  return (group.find(({ isActive }) => isActive) ?? group[0]!).sequence;
}

/** The first place within a page where other perspectives are. */
function endOf(page: ReplayPage, ends: readonly LogPlace[]): LogPlace | undefined {
  return ends.filter((end) => comparePlaces(end, page.upTo) <= 0).toSorted(comparePlaces)[0];
}
