import type { Event } from '../../messages/index.js';
import {
  behindEverything,
  comparePlaces,
  PerspectiveMovedError,
  type EventLog,
  type LogPlace,
  type OutgoingRecord,
  type PerspectiveCommit,
  type Progress,
  type StoredRecord,
} from '../../storage/index.js';
import type { SystemEventEmitter } from '../../system-events/index.js';
import { BackgroundWorker } from '../../background/index.js';
import { applyPlan, planBatch, type PlannedBatch } from './advance.js';
import { perspectiveFailed } from './failures.js';
import { ModelEvents, type PerspectiveParts } from './model-events.js';
import type { NamedPerspective } from '../perspective.js';
import { StreamRewinds, type PlannedRewinds, type RewindReport } from './stream-rewinds.js';

export const batchSize = 500;

export interface PerspectiveWorkerParts extends PerspectiveParts {
  readonly emitter: SystemEventEmitter;
  /** Prepares a rewind event for the outbox; null: rewind events are disabled. */
  readonly outgoingOf: ((event: Event) => OutgoingRecord) | null;
  /** Called when a message was queued. */
  readonly queued: () => void;
  /** Called with the progress of a perspective. */
  readonly reached: (perspective: string, place: LogPlace) => void;
  /** The lane of the hosts that share the work. */
  readonly lane: string;
  /** Whether this host holds the lease of the worker. */
  readonly hold: () => Promise<boolean>;
  readonly report: (error: unknown) => void;
}

interface Known {
  readonly named: NamedPerspective;
  readonly finder: ModelEvents;
}

/** A perspective and its progress. */
interface Standing extends Known {
  from: Progress;
}

/** A perspective and its part of a batch. */
interface Planned {
  readonly standing: Standing;
  readonly plan: PlannedBatch;
}

/**
 * Processes events for all perspectives, in batches. Perspectives at the same place share a batch; one that lags has its own, and delays
 * the others by no more than that batch. A failure of one perspective is retried and does not stop the others.
 */
export function perspectiveWorker(
  perspectives: readonly NamedPerspective[],
  parts: PerspectiveWorkerParts,
): BackgroundWorker {
  const known = perspectives.map((named) => ({ named, finder: new ModelEvents(named, parts) }));
  return new BackgroundWorker(async () => {
    if (!(await parts.hold())) return false;
    const round = await Round.begin(known, parts);
    return await round.run();
  }, parts.report);
}

/** One pass of the worker: it reads the progress of all perspectives and processes one batch for each. */
class Round {
  readonly #parts: PerspectiveWorkerParts;
  readonly #standings: readonly Standing[];
  /** Null: rewind events are disabled. */
  readonly #rewinds: StreamRewinds | null;
  readonly #errors: unknown[] = [];

  private constructor(standings: readonly Standing[], rewinds: StreamRewinds | null, parts: PerspectiveWorkerParts) {
    this.#standings = standings;
    this.#rewinds = rewinds;
    this.#parts = parts;
  }

  static async begin(known: readonly Known[], parts: PerspectiveWorkerParts): Promise<Round> {
    const { storage, outgoingOf, lane } = parts;
    const standings: Standing[] = [];
    for (const one of known) standings.push({ ...one, from: await storage.readProgress(one.named.name) });
    if (outgoingOf === null) return new Round(standings, null, parts);
    const perspectiveNames = known.map(({ named }) => named.name);
    const rewinds = new StreamRewinds(await storage.readRewinds(lane), { lane, perspectiveNames, outgoingOf });
    return new Round(standings, rewinds, parts);
  }

  /** Whether there was an event to process. */
  async run(): Promise<boolean> {
    await this.#tryTo(() => this.#completeOverdue());
    const places = new Map<number, Standing[]>();
    for (const one of this.#standings) places.set(one.from.sequence, [...(places.get(one.from.sequence) ?? []), one]);
    let worked = false;
    for (const [sequence, those] of places) {
      // The batch ends where another perspective is: from there on they share a batch.
      const records = await readBatch(this.#parts.log, sequence, places);
      if (records.length === 0) continue;
      worked = true;
      await this.#take(those, records);
    }
    for (const error of this.#errors.slice(1)) this.#parts.report(error);
    if (this.#errors.length > 0) throw this.#errors[0];
    return worked;
  }

  async #take(those: readonly Standing[], records: readonly StoredRecord[]): Promise<void> {
    const batch = { records, upTo: records.at(-1)! };
    const planned: Planned[] = [];
    for (const standing of those) {
      await this.#tryTo(async () => {
        const plan = await planBatch(standing.named, batch, standing.finder, this.#parts.storage);
        planned.push({ standing, plan });
      });
    }
    for (const one of planned) await this.#tryTo(() => this.#process(one, planned));
  }

  async #process({ standing, plan }: Planned, planned: readonly Planned[]): Promise<void> {
    const { reached } = this.#parts;
    const { name } = plan.named;
    const startedAt = new Date();
    if (plan.rewinds.length > 0) await this.#beginRewinds(standing, planned, startedAt);
    const { changes, failures } = applyPlan(plan);
    const completed =
      (await this.#rewinds?.complete(rewindsOf(plan), plan.upTo, startedAt, (other, place) =>
        this.#hasPassed(other, place),
      )) ?? null;
    await this.#commit({ ...changes, from: standing.from }, completed);
    standing.from = { ...standing.from, sequence: plan.upTo.sequence };
    reached(name, plan.upTo);
    for (const failure of failures) await this.#parts.emitter.emit(perspectiveFailed(name, failure));
  }

  /** Stores that the rewinds begin, before any model changes. */
  async #beginRewinds(standing: Standing, planned: readonly Planned[], startedAt: Date): Promise<void> {
    if (this.#rewinds === null) return;
    const { name } = standing.named;
    const { from } = standing;
    const { upTo } = planned[0]!.plan;
    const begun = this.#rewinds.begin(
      name,
      planned.map(({ plan }) => rewindsOf(plan)),
      upTo,
      startedAt,
    );
    await this.#commit({ ...nothing, perspective: name, from, to: from.sequence }, begun);
    standing.from = await this.#parts.storage.readProgress(name);
    const { sequence, revision } = standing.from;
    if (sequence !== from.sequence || revision !== from.revision + 1) {
      throw new PerspectiveMovedError(name, from.sequence, sequence);
    }
  }

  /** Completes rewinds that all perspectives have passed without a commit of this worker. */
  async #completeOverdue(): Promise<void> {
    const overdue = (await this.#rewinds?.overdue((name, place) => this.#hasPassed(name, place))) ?? null;
    const standing = this.#standings.find(({ from }) => from.sequence !== behindEverything);
    if (overdue === null || standing === undefined) return;
    const { from, named } = standing;
    await this.#commit({ ...nothing, perspective: named.name, from, to: from.sequence }, overdue);
    standing.from = await this.#parts.storage.readProgress(named.name);
  }

  async #commit(commit: PerspectiveCommit, report: RewindReport | null): Promise<void> {
    await this.#parts.storage.commitPerspective(report === null ? commit : { ...commit, ...report });
    if (report === null) return;
    this.#rewinds!.committed(report);
    if (report.outgoing.length > 0) this.#parts.queued();
  }

  async #hasPassed(perspectiveName: string, place: LogPlace): Promise<boolean> {
    const { sequence } = this.#standings.find(({ named }) => named.name === perspectiveName)!.from;
    if (sequence === behindEverything) return true;
    return comparePlaces(await this.#parts.log.placeAt(sequence), place) >= 0;
  }

  async #tryTo(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // Another host was faster: the next pass reads the progress again.
      if (!(error instanceof PerspectiveMovedError)) this.#errors.push(error);
    }
  }
}

const nothing = { models: [], sources: [], rewound: [], snapshots: [], stopped: [], resumed: [] };

function rewindsOf({ named, rewinds }: PlannedBatch): PlannedRewinds {
  return { perspectiveName: named.name, rewinds };
}

/** A batch of records after an event, up to the first place where another perspective is. */
async function readBatch(
  log: EventLog,
  afterSequence: number,
  others: ReadonlyMap<number, unknown>,
): Promise<readonly StoredRecord[]> {
  for await (const page of log.readPages(afterSequence, batchSize)) {
    const end = page.findIndex(({ sequence }) => others.has(sequence));
    return end === -1 ? page : page.slice(0, end + 1);
  }
  return [];
}
