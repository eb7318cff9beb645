import type { Event } from '../../messages/index.js';
import {
  behindEverything,
  comparePlaces,
  PerspectiveMovedError,
  type LogPlace,
  type OutgoingRecord,
  type ReplayPage,
} from '../../storage/index.js';
import { BackgroundWorker } from '../../background/index.js';
import { FollowedPerspective } from './followed-perspective.js';
import { ModelsLostError } from './model-buffer.js';
import type { PerspectiveParts } from './model-events.js';
import { pageUpTo } from './page-part.js';
import { reportFailures, type FailureParts } from './perspective-failed-error.js';
import type { NamedPerspective } from '../perspective.js';
import { nameOfWork, type PerspectiveWork } from './perspective-work.js';
import type { PlannedBatch } from './process-batch.js';
import type { PlannedRewinds } from './rewind-events.js';
import { StreamRewinds, type RewindReport } from './stream-rewinds.js';
import type { SharedPerspectives } from './work-share.js';

/** How many records of the log are read at once. */
export const pageSize = 1_000;
/** How long a round lasts at most: a host that stops waits for its end. */
export const roundMs = 1_000;
/** How long perspectives at one place are processed while others are at another place. */
export const turnMs = 200;

export interface PerspectiveWorkerParts extends PerspectiveParts, FailureParts {
  /** Prepares a rewind event for the outbox; null: rewind events are disabled. */
  readonly outgoingOf: ((event: Event) => OutgoingRecord) | null;
  /** Called when a message was queued. */
  readonly queued: () => void;
  /** Called with the progress of a perspective, or of a segment. */
  readonly reached: (work: PerspectiveWork, place: LogPlace) => void;
  /** The lane of the hosts that share the work: their rewinds belong together. */
  readonly lane: string;
  readonly share: Share;
  readonly report: (error: unknown) => void;
}

/** The perspectives that this host processes. */
export interface Share {
  /** Called when no perspective has uncommitted changes. */
  take(): Promise<SharedPerspectives>;
  holds(work: PerspectiveWork): Promise<boolean>;
  /** Called after each round. `isBehind`: there was more to process than the round had time for. */
  progressed(work: PerspectiveWork, isBehind: boolean): void;
}

/** A perspective and its part of a batch. */
interface Planned {
  readonly followed: FollowedPerspective;
  readonly plan: PlannedBatch;
}

/**
 * Processes events for the perspectives of this host. Perspectives at the same place share the pages of the log; one that lags has its own,
 * and delays the others by no more than its turn. A failure of one perspective is retried and does not stop the others.
 */
export function perspectiveWorker(
  perspectives: readonly NamedPerspective[],
  parts: PerspectiveWorkerParts,
): BackgroundWorker {
  const byName = new Map(perspectives.map((named) => [named.name, named]));
  const follow = (work: PerspectiveWork): FollowedPerspective =>
    new FollowedPerspective(byName.get(work.perspective)!, work, parts, (place) => parts.reached(work, place));
  let followed: ReadonlyMap<string, FollowedPerspective> = new Map();
  return new BackgroundWorker(async () => {
    const { own, others } = await parts.share.take();
    followed = new Map(own.map((work) => [nameOfWork(work), followed.get(nameOfWork(work)) ?? follow(work)]));
    if (own.length === 0) return false;
    const round = await Round.begin([...followed.values()], () => others.map(follow), [...byName.keys()], parts);
    return await round.run();
  }, parts.report);
}

/** One pass of the worker: it reads the progress of all perspectives, and processes the events that follow. */
class Round {
  readonly #parts: PerspectiveWorkerParts;
  readonly #followed: readonly FollowedPerspective[];
  /** What other hosts process. */
  readonly #others: () => readonly FollowedPerspective[];
  /** Null: rewind events are disabled. */
  readonly #rewinds: StreamRewinds | null;
  readonly #errors: unknown[] = [];

  private constructor(
    followed: readonly FollowedPerspective[],
    others: () => readonly FollowedPerspective[],
    rewinds: StreamRewinds | null,
    parts: PerspectiveWorkerParts,
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
    parts: PerspectiveWorkerParts,
  ): Promise<Round> {
    const { storage, outgoingOf, lane } = parts;
    // All of them, even after an error: one that starts late would reset the models of the next round.
    for (const one of await Promise.allSettled(followed.map((each) => each.start()))) {
      if (one.status === 'rejected') throw one.reason;
    }
    const open = outgoingOf === null ? [] : await storage.readRewinds(lane);
    const rewinds = outgoingOf === null ? null : new StreamRewinds(open, { lane, perspectiveNames, outgoingOf });
    return new Round(followed, others, rewinds, parts);
  }

  /** Whether there was an event to process. */
  async run(): Promise<boolean> {
    const first = this.#followed.find(({ isActive }) => isActive);
    if (first !== undefined) await this.#tryTo(first, null, () => this.#completeOverdue(first));
    const groups = new Map<number, FollowedPerspective[]>();
    for (const one of this.#followed) {
      if (one.isActive) groups.set(one.sequence, [...(groups.get(one.sequence) ?? []), one]);
    }
    const places: LogPlace[] = [];
    if (groups.size > 1) for (const sequence of groups.keys()) places.push(await this.#parts.log.placeAt(sequence));
    let worked = false;
    for (const [i, group] of [...groups.values()].entries()) {
      const ends = places.filter((place) => comparePlaces(place, places[i]!) > 0);
      worked = (await this.#follow(group, ends, groups.size > 1 ? turnMs : roundMs)) || worked;
    }
    for (const error of this.#errors.slice(1)) this.#parts.report(error);
    if (this.#errors.length > 0) throw this.#errors[0];
    return worked;
  }

  /** Processes the pages that follow the place of some perspectives, up to a place where others are. */
  async #follow(group: readonly FollowedPerspective[], ends: readonly LogPlace[], limitMs: number): Promise<boolean> {
    const { log } = this.#parts;
    const until = performance.now() + limitMs;
    const types = new Set(group.flatMap(({ finder }) => [...finder.types]));
    let worked = false;
    let isOutOfTime = false;
    for (let isOver = false, mayBeMore = true; mayBeMore && !isOver;) {
      mayBeMore = false;
      for await (const page of log.readReplayPages(placeOf(group), pageSize, types)) {
        worked = mayBeMore = true;
        const end = endOf(page, ends);
        await this.#process(group, end === undefined ? page : pageUpTo(page, end));
        isOutOfTime = performance.now() >= until;
        isOver = end !== undefined || isOutOfTime || !group.some(({ isActive }) => isActive);
        isOver ||= !(await this.#holdsAll(group));
        if (isOver) break;
      }
    }
    for (const one of group) {
      await this.#tryTo(one, null, () => one.buffer.flush());
      this.#parts.share.progressed(one.work, isOutOfTime);
    }
    return worked;
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
    for (const one of planned) await this.#tryTo(one.followed, page.upTo, () => this.#apply(one, planned, page));
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
      if (!isExpected) this.#errors.push(error);
    }
  }
}

function rewindsOf({ followed, plan }: Planned): PlannedRewinds {
  const isSegment = followed.work.segment !== undefined;
  return { perspectiveName: followed.name, isSegment, rewinds: plan.rewinds };
}

/** The place of perspectives that advance together: all that are still part of the round are there. */
function placeOf(group: readonly FollowedPerspective[]): number {
  return (group.find(({ isActive }) => isActive) ?? group[0]!).sequence;
}

/** The first place within a page where other perspectives are. */
function endOf(page: ReplayPage, ends: readonly LogPlace[]): LogPlace | undefined {
  return ends.filter((end) => comparePlaces(end, page.upTo) <= 0).toSorted(comparePlaces)[0];
}
